;;; cocosearch.el --- Find code by meaning and by word  -*- lexical-binding: t -*-

;; Package-Requires: ((emacs "29.1"))
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `M-x cocosearch' asks a question about the current project and shows the answers, best first.
;; It has a connection of its own for each project, so that it works beside eglot and lsp-mode.

;;; Code:

(require 'jsonrpc)
(require 'project)
(require 'url-parse)
(require 'url-util)
(require 'xref)

(defgroup cocosearch nil "Find code by meaning and by word." :group 'tools)

(defcustom cocosearch-program '("cocosearch-lsp" "--stdio")
  "The server and its arguments."
  :type '(repeat string))

(defcustom cocosearch-limit 20
  "How many answers a question gets."
  :type 'natnum)

(defcustom cocosearch-settings nil
  "Settings of the server as a property list, such as (:search (:minScore 0.2))."
  :type 'plist)

(defvar cocosearch--connections nil
  "Connections by the root of their project.")

(defun cocosearch--start (root)
  "Start a server for the project at ROOT."
  (let* ((uri (concat "file://" (and (eq system-type 'windows-nt) "/")
                      (url-encode-url (directory-file-name root))))
         (connection
          (make-instance
           'jsonrpc-process-connection
           :name "cocosearch"
           :process (lambda ()
                      (make-process :name "cocosearch" :command cocosearch-program
                                    :connection-type 'pipe :coding 'utf-8-emacs-unix :noquery t
                                    :stderr (get-buffer-create " *cocosearch stderr*")))
           :notification-dispatcher #'cocosearch--notified
           :request-dispatcher #'ignore)))
    (jsonrpc-request connection :initialize
                     `( :processId ,(emacs-pid) :rootUri ,uri
                        :capabilities ,(make-hash-table :size 1)
                        :initializationOptions ,(or cocosearch-settings (make-hash-table :size 1))))
    (jsonrpc-notify connection :initialized (make-hash-table :size 1))
    connection))

(defun cocosearch--connection (root)
  "The connection for the project at ROOT, started if there is none."
  (let ((connection (alist-get root cocosearch--connections nil nil #'equal)))
    (if (and connection (jsonrpc-running-p connection)) connection
      (setf (alist-get root cocosearch--connections nil nil #'equal) (cocosearch--start root)))))

(defun cocosearch--notified (_connection method params)
  "Show the message in PARAMS where METHOD is one that carries it."
  (when (eq method 'window/showMessage) (message "%s" (plist-get params :message))))

(defun cocosearch--file (uri)
  "The name of the file at URI."
  (let ((name (decode-coding-string
               (url-unhex-string (url-filename (url-generic-parse-url uri))) 'utf-8)))
    (if (eq system-type 'windows-nt) (substring name 1) name)))

(defun cocosearch--item (rank hit)
  "HIT, which stands at RANK, as an item of xref."
  (xref-make
   (format "%2d. %.2f  %s" rank (plist-get hit :score)
           (or (plist-get (plist-get hit :symbol) :signature) (plist-get hit :hierarchy) ""))
   (xref-make-file-location
    (cocosearch--file (plist-get (plist-get hit :location) :uri))
    (1+ (plist-get (plist-get (plist-get hit :selectionRange) :start) :line))
    0)))

;;;###autoload
(defun cocosearch (question)
  "Find code of the current project that answers QUESTION."
  (interactive "sFind code: ")
  (let* ((connection (cocosearch--connection
                      (expand-file-name (project-root (project-current t)))))
         (answer (jsonrpc-request connection :cocosearch/search
                                  (list :query question :limit cocosearch-limit)))
         (hits (plist-get answer :hits)))
    (when (equal (plist-get answer :state) "indexing")
      (message "cocosearch: still indexing, %d of %d files"
               (plist-get answer :indexed) (plist-get answer :total)))
    (when (seq-empty-p hits)
      (user-error "cocosearch: %s" (or (car (append (plist-get answer :warnings) nil))
                                       "nothing found")))
    (xref-show-xrefs
     (lambda () (seq-map-indexed (lambda (hit index) (cocosearch--item (1+ index) hit)) hits))
     nil)))

(provide 'cocosearch)
;;; cocosearch.el ends here
