;;; cocosearch.el --- Find code by meaning and by word  -*- lexical-binding: t -*-

;; Package-Requires: ((emacs "29.1"))
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `M-x cocosearch' asks a question about the current project and shows the answers, best first.
;; `M-x cocosearch-consult' shows them while you type, where consult is installed.
;; `M-x cocosearch-status' says how far the index is, `M-x cocosearch-reindex' makes it anew.
;; It has a connection of its own for each project, so that it works beside eglot and lsp-mode.
;; What is changed and not saved is sent along before each question, so that it is found, too.
;; `cocosearch-add-to-lsp-mode' lets lsp-mode start the server, too, beside those that run already.

;;; Code:

(require 'cl-lib)
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

(defvar cocosearch--sent nil
  "What each connection knows of unsaved buffers.
An alist of alists: connections to URIs to the ticks of their buffers.")

(defun cocosearch--uri (file)
  "The URI of FILE."
  (concat "file://" (and (eq system-type 'windows-nt) "/")
          (url-encode-url (directory-file-name (file-truename file)))))

(defun cocosearch--start (root)
  "Start a server for the project at ROOT."
  (let* ((uri (cocosearch--uri root))
         (connection
          (make-instance
           'jsonrpc-process-connection
           :name "cocosearch"
           :process (lambda ()
                      (make-process :name "cocosearch" :command cocosearch-program
                                    :connection-type 'pipe :coding 'utf-8-emacs-unix :noquery t
                                    :stderr (get-buffer-create " *cocosearch stderr*")))
           :notification-dispatcher #'cocosearch--notified
           :request-dispatcher #'ignore))
         (started nil))
    (unwind-protect
        (progn
          (cocosearch--initialize connection uri)
          (setq started connection))
      ;; Whoever quits meanwhile gets another one the next time.
      (unless started (jsonrpc-shutdown connection)))))

(defun cocosearch--initialize (connection uri)
  "Say to the server of CONNECTION that the project is at URI."
  (jsonrpc-request connection :initialize
                   `( :processId ,(emacs-pid) :rootUri ,uri
                      :capabilities ,(make-hash-table :size 1)
                      :initializationOptions ,(or cocosearch-settings (make-hash-table :size 1))))
  (jsonrpc-notify connection :initialized (make-hash-table :size 1)))

(defun cocosearch--connection (root)
  "The connection for the project at ROOT, started if there is none."
  (let ((connection (alist-get root cocosearch--connections nil nil #'equal)))
    (if (and connection (jsonrpc-running-p connection)) connection
      (setf (alist-get root cocosearch--connections nil nil #'equal) (cocosearch--start root)))))

(defun cocosearch--unsaved (root)
  "Unsaved buffers of files below ROOT, by URI."
  (let (unsaved)
    (dolist (buffer (buffer-list) unsaved)
      (let ((file (buffer-file-name buffer)))
        (when (and file (buffer-modified-p buffer) (file-in-directory-p file root))
          (push (cons (cocosearch--uri file) buffer) unsaved))))))

(defun cocosearch--text (buffer)
  "The whole text of BUFFER, whatever is narrowed."
  (with-current-buffer buffer
    (save-restriction (widen) (buffer-substring-no-properties (point-min) (point-max)))))

(defun cocosearch--sync (connection root)
  "Tell CONNECTION what is not saved below ROOT, and what is not open any more."
  (let ((known (alist-get connection cocosearch--sent))
        (unsaved (cocosearch--unsaved root))
        sent)
    (pcase-dolist (`(,uri . ,_) known)
      (unless (assoc uri unsaved)
        (jsonrpc-notify connection :textDocument/didClose (list :textDocument (list :uri uri)))))
    (pcase-dolist (`(,uri . ,buffer) unsaved)
      (let ((tick (buffer-chars-modified-tick buffer))
            (before (cdr (assoc uri known))))
        (cond
         ((null before)
          (jsonrpc-notify connection :textDocument/didOpen
                          (list :textDocument
                                (list :uri uri :languageId "" :version tick
                                      :text (cocosearch--text buffer)))))
         ((/= before tick)
          (jsonrpc-notify connection :textDocument/didChange
                          (list :textDocument (list :uri uri :version tick)
                                :contentChanges
                                (vector (list :text (cocosearch--text buffer)))))))
        (push (cons uri tick) sent)))
    (setf (alist-get connection cocosearch--sent) sent)))

(defun cocosearch--notified (_connection method params)
  "Show the message in PARAMS where METHOD is one that carries it."
  (when (eq method 'window/showMessage) (message "%s" (plist-get params :message))))

(defun cocosearch--file (uri)
  "The name of the file at URI."
  (let ((name (decode-coding-string
               (url-unhex-string (url-filename (url-generic-parse-url uri))) 'utf-8)))
    (if (eq system-type 'windows-nt) (substring name 1) name)))

(defun cocosearch--hit-file (hit)
  "The name of the file that HIT is in."
  (cocosearch--file (plist-get (plist-get hit :location) :uri)))

(defun cocosearch--hit-line (hit)
  "The number of the line that HIT is about, counted from one."
  (1+ (plist-get (plist-get (plist-get hit :selectionRange) :start) :line)))

(defun cocosearch--hit-head (hit)
  "The head of the definition that HIT is, or the headings above it."
  (or (plist-get (plist-get hit :symbol) :signature) (plist-get hit :hierarchy) ""))

(cl-defstruct (cocosearch--place (:include xref-file-location)
                                 (:constructor cocosearch--make-place (file line column heading)))
  "A location below a heading of its own: xref would put those of one file together."
  heading)

(cl-defmethod xref-location-group ((place cocosearch--place))
  "The heading of PLACE."
  (cocosearch--place-heading place))

(defun cocosearch--item (root rank hit)
  "HIT below ROOT, which stands at RANK, as an item of xref."
  (let ((file (cocosearch--hit-file hit)))
    (xref-make
     (cocosearch--hit-head hit)
     (cocosearch--make-place
      file (cocosearch--hit-line hit) 0
      (format "%2d. %.2f  %s" rank (plist-get hit :score) (file-relative-name file root))))))

(defun cocosearch--root ()
  "The root of the current project."
  (expand-file-name (project-root (project-current t))))

(defun cocosearch--unfinished (answer)
  "How far the index is, where ANSWER may miss something because of it."
  (unless (equal (plist-get answer :state) "ready")
    (format "%s, %d of %d files" (plist-get answer :state)
            (plist-get answer :indexed) (plist-get answer :total))))

(defun cocosearch--ask (root question)
  "Find what answers QUESTION below ROOT, and say when more is still to come."
  (let ((connection (cocosearch--connection root)))
    (cocosearch--sync connection root)
    (let* ((answer (jsonrpc-request connection :cocosearch/search
                                    (list :query question :limit cocosearch-limit)))
           (unfinished (cocosearch--unfinished answer)))
      (when unfinished (message "cocosearch: %s" unfinished))
      answer)))

;;;###autoload
(defun cocosearch (question)
  "Find code of the current project that answers QUESTION."
  (interactive "sFind code: ")
  (let* ((root (cocosearch--root))
         (answer (cocosearch--ask root question))
         (hits (plist-get answer :hits)))
    (when (seq-empty-p hits)
      (let ((unfinished (cocosearch--unfinished answer)))
        (user-error "cocosearch: %s" (or (car (append (plist-get answer :warnings) nil))
                                         (if unfinished (concat "nothing found yet: " unfinished)
                                           "nothing found")))))
    (xref-show-xrefs
     (lambda () (seq-map-indexed (lambda (hit index) (cocosearch--item root (1+ index) hit)) hits))
     nil)))

;;;###autoload
(defun cocosearch-status ()
  "Say how far the index of the current project is."
  (interactive)
  (let* ((connection (cocosearch--connection (cocosearch--root)))
         (status (jsonrpc-request connection :cocosearch/status (make-hash-table :size 1)))
         (reason (plist-get status :reason)))
    (message "cocosearch: %s, %d of %d files%s" (plist-get status :state)
             (plist-get status :indexed) (plist-get status :total)
             (if reason (concat "; " reason) ""))))

;;;###autoload
(defun cocosearch-reindex (&optional full)
  "Index the current project again; with prefix argument FULL, forget it first."
  (interactive "P")
  (jsonrpc-request (cocosearch--connection (cocosearch--root)) :cocosearch/reindex
                   (list :full (if full t :json-false)))
  (message "cocosearch: indexing again"))

(declare-function consult--dynamic-collection "ext:consult" (fun &rest options))
(declare-function consult--format-file-line-match "ext:consult" (file line match))
(declare-function consult--grep-state "ext:consult" ())
(declare-function consult--multi "ext:consult" (sources &rest options))

(defvar cocosearch--consult-history nil
  "Questions asked with `cocosearch-consult'.")

(defun cocosearch--consult-line (hit)
  "HIT as a match of grep, so that consult previews and exports it like one."
  (let ((line (consult--format-file-line-match
               (file-relative-name (cocosearch--hit-file hit))
               (cocosearch--hit-line hit)
               (cocosearch--hit-head hit))))
    (put-text-property 0 1 'cocosearch-score (plist-get hit :score) line)
    line))

(defun cocosearch--consult-lines (question)
  "Lines of the hits for QUESTION, best first."
  ;; Consult may ask from a timer; the minibuffer has the folder in which the user asked.
  (with-current-buffer (window-buffer (or (active-minibuffer-window) (selected-window)))
    (let ((answer (cocosearch--ask (cocosearch--root) question)))
      (mapcar #'cocosearch--consult-line (plist-get answer :hits)))))

(defun cocosearch--consult-score (line)
  "The score of the hit in LINE."
  (format "  %.2f" (get-text-property 0 'cocosearch-score line)))

(defvar cocosearch-consult-source nil
  "Source for `consult--multi', which lists hits while a question is typed.
It is made when consult is loaded.")

(with-eval-after-load 'consult
  (setq cocosearch-consult-source
        (list :name "Code by meaning"
              :narrow ?c
              :category 'consult-grep
              :enabled #'project-current
              :history 'cocosearch--consult-history
              :annotate #'cocosearch--consult-score
              :state #'consult--grep-state
              :async (consult--dynamic-collection #'cocosearch--consult-lines))))

;;;###autoload
(defun cocosearch-consult ()
  "Find code of the current project that answers a question, while it is typed."
  (interactive)
  (unless (require 'consult nil t)
    (user-error "Please install consult, or ask with `M-x cocosearch'"))
  (let ((default-directory (cocosearch--root)))
    ;; A start in the middle of the question would be given up at each key.
    (cocosearch--connection default-directory)
    (consult--multi '(cocosearch-consult-source)
                    :prompt "Find code: " :require-match t :sort nil)))

(declare-function lsp-register-client "ext:lsp-mode" (client))
(declare-function make-lsp-client "ext:lsp-mode" (&rest slots))
(declare-function lsp-stdio-connection "ext:lsp-mode" (command))

(defun cocosearch-add-to-lsp-mode ()
  "Let lsp-mode start the server beside those that a buffer has already."
  (let ((handlers (make-hash-table :test 'equal)))
    ;; lsp-mode shows a warning for each notification that it does not know.
    (puthash "cocosearch/statusChanged" #'ignore handlers)
    (lsp-register-client
     (make-lsp-client :new-connection (lsp-stdio-connection (lambda () cocosearch-program))
                      :activation-fn (lambda (file &rest _) (and file t))
                      :add-on? t
                      :server-id 'cocosearch
                      :initialization-options (lambda () cocosearch-settings)
                      :notification-handlers handlers))))

(provide 'cocosearch)
;;; cocosearch.el ends here
