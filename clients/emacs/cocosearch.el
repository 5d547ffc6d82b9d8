;;; cocosearch.el --- Find code by meaning and by word  -*- lexical-binding: t -*-

;; Package-Requires: ((emacs "29.1"))
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `M-x cocosearch' searches the current project and shows the hits, best first.  The query is the region if it is active,
;; and with \[universal-argument] the latest kill.
;; `M-x cocosearch-live' shows them while you type, with a preview; `M-x cocosearch-consult' does so with consult.
;; `M-x cocosearch-status' shows the state of the index, `M-x cocosearch-reindex' rebuilds it.
;; cocosearch-graph.el has the graph commands, cocosearch-past.el the history commands.
;; It has its own connection per project, so it works beside eglot and lsp-mode.
;; Unsaved changes are sent before each query, so that they are found, too.
;; `cocosearch-add-to-lsp-mode' lets lsp-mode start the server beside other servers.

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
  "The maximum number of hits."
  :type 'natnum)

(defcustom cocosearch-settings nil
  "Settings of the server as a property list, such as (:search (:minScore 0.2))."
  :type 'plist)

(defvar cocosearch-history nil
  "History of questions.")

(defvar cocosearch--connections nil
  "Connections by the root of their project.")

(defvar cocosearch--sent nil
  "The unsaved buffers that each connection knows.
An alist of alists: connections to URIs to the ticks of their buffers.")

(defconst cocosearch--uri-characters
  (let ((allowed (copy-sequence url-path-allowed-chars)))
    ;; Encode the percent sign, or it would be decoded as an escape.
    (aset allowed ?% nil)
    allowed)
  "Characters of a path that need no escape in a URI.")

(defun cocosearch--uri (file)
  "The URI of FILE."
  (concat "file://" (and (eq system-type 'windows-nt) "/")
          (url-hexify-string (directory-file-name (file-truename file)) cocosearch--uri-characters)))

(defun cocosearch--sendable (text)
  "Replace raw bytes in TEXT, which JSON cannot represent, with U+FFFD."
  (replace-regexp-in-string "[^\u0000-\ud7ff\ue000-\U0010ffff]" "\ufffd" text t t))

(defvar cocosearch-indexed-hook nil
  "Functions called with a root when its indexing ends.")

(defun cocosearch--program ()
  "Return the program of the server; signal an error if it is missing."
  (let ((program (car cocosearch-program)))
    (unless (executable-find program)
      (user-error "Cocosearch: `%s' is not on the PATH; install it, or name it in `cocosearch-program'"
                  program))
    cocosearch-program))

(defun cocosearch--stderr ()
  "Return the buffer for the stderr of servers."
  (get-buffer-create " *cocosearch stderr*"))

(defun cocosearch--start (root)
  "Start a server for the project at ROOT, without waiting for it."
  (with-current-buffer (cocosearch--stderr) (erase-buffer))
  (let* ((command (cocosearch--program))
         (connection
          (make-instance
           'jsonrpc-process-connection
           :name "cocosearch"
           :process (lambda ()
                      (make-process :name "cocosearch" :command command
                                    :connection-type 'pipe :coding 'utf-8-emacs-unix :noquery t
                                    :stderr (cocosearch--stderr)))
           :notification-dispatcher (lambda (_ method params)
                                      (cocosearch--notified root method params))
           :request-dispatcher #'ignore)))
    (jsonrpc-async-request
     connection :initialize
     `( :processId ,(emacs-pid) :rootUri ,(cocosearch--uri root)
        ;; With UTF-32, columns are characters, as in Emacs.
        :capabilities (:general (:positionEncodings ["utf-32"]))
        :initializationOptions ,(or cocosearch-settings (make-hash-table :size 1)))
     :timeout nil
     :success-fn (lambda (_)
                   (jsonrpc-notify connection :initialized (make-hash-table :size 1))
                   (process-put (jsonrpc--process connection) 'cocosearch-ready t))
     :error-fn #'ignore)
    connection))

(defun cocosearch--connection (root)
  "The connection for the project at ROOT, started if there is none."
  (let ((connection (alist-get root cocosearch--connections nil nil #'equal)))
    (if (and connection (jsonrpc-running-p connection)) connection
      (setf (alist-get root cocosearch--connections nil nil #'equal) (cocosearch--start root)))))

(defun cocosearch--ready-p (connection)
  "Whether the server of CONNECTION is initialized."
  (process-get (jsonrpc--process connection) 'cocosearch-ready))

(defun cocosearch--end-reason ()
  "Why the last server ended, from its stderr."
  (let ((said (with-current-buffer (cocosearch--stderr) (string-trim (buffer-string)))))
    (if (string-empty-p said) "the server ended"
      (concat "the server ended: " (car (split-string said "\n"))))))

(defun cocosearch--ready (root)
  "The connection for ROOT, once its server has started.
Who quits meanwhile loses nothing: the server goes on starting."
  (let ((connection (cocosearch--connection root)))
    (unless (or noninteractive (cocosearch--ready-p connection))
      (message "cocosearch: the server is starting"))
    (while (not (cocosearch--ready-p connection))
      (unless (jsonrpc-running-p connection)
        (user-error "Cocosearch: %s" (cocosearch--end-reason)))
      (accept-process-output nil 0.1))
    connection))

(defun cocosearch--send (connection method params done)
  "Send METHOD with PARAMS on CONNECTION; call DONE with answer and problem.
Return a function that takes the request back."
  (pcase-let ((`(,id ,_)
               (jsonrpc--async-request-1
                connection method
                (if (listp params)
                    (mapcar (lambda (value) (if (stringp value) (cocosearch--sendable value) value)) params)
                  params)
                :timeout nil
                :success-fn (lambda (answer) (funcall done answer nil))
                :error-fn (lambda (failure)
                            (funcall done nil (or (plist-get failure :message) "no answer"))))))
    (lambda ()
      (when (jsonrpc-running-p connection)
        (jsonrpc-notify connection :$/cancelRequest (list :id id))))))

(defun cocosearch--wait (connection method params)
  "The answer of CONNECTION to METHOD with PARAMS.
Who quits takes the question back."
  (let* (is-done answer problem
         (cancel (cocosearch--send connection method params
                                   (lambda (given failed)
                                     (setq is-done t answer given problem failed)))))
    (unwind-protect
        (while (and (not is-done) (jsonrpc-running-p connection))
          (accept-process-output nil 0.1))
      (unless is-done (funcall cancel)))
    (when problem (user-error "Cocosearch: %s" problem))
    (if is-done answer 'ended)))

(defun cocosearch--request (root method params)
  "The answer of the server of ROOT to METHOD with PARAMS.
A server that dies before it has answered is started and asked once more."
  (let ((answer (cocosearch--wait (cocosearch--synced root) method params)))
    (when (eq answer 'ended)
      (setq answer (cocosearch--wait (cocosearch--synced root) method params)))
    (when (eq answer 'ended) (user-error "Cocosearch: %s" (cocosearch--end-reason)))
    answer))

(defun cocosearch--synced (root)
  "Return the connection for ROOT with the unsaved text sent first."
  (let ((connection (cocosearch--ready root)))
    (cocosearch--sync connection root)
    connection))

(defun cocosearch--unsaved (root)
  "Unsaved buffers of files below ROOT, by URI."
  (let (unsaved)
    (dolist (buffer (buffer-list) unsaved)
      (let ((file (buffer-file-name buffer)))
        (when (and file (buffer-modified-p buffer) (file-in-directory-p file root))
          (push (cons (cocosearch--uri file) buffer) unsaved))))))

(defun cocosearch--text (buffer)
  "Return the whole text of BUFFER, ignoring narrowing."
  (with-current-buffer buffer
    (save-restriction
      (widen)
      (cocosearch--sendable (buffer-substring-no-properties (point-min) (point-max))))))

(defun cocosearch--sync (connection root)
  "Send unsaved buffers below ROOT to CONNECTION, and close killed ones."
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

(defun cocosearch--notified (root method params)
  "Handle the notification METHOD with PARAMS of the server of ROOT."
  (pcase method
    ('window/showMessage (message "%s" (plist-get params :message)))
    ('cocosearch/statusChanged
     (unless (equal (plist-get params :state) "indexing")
       ;; Not inside the process filter.
       (run-at-time 0 nil #'run-hook-with-args 'cocosearch-indexed-hook root)))))

(defun cocosearch--file (uri)
  "The name of the file at URI."
  (let ((name (decode-coding-string
               (url-unhex-string (url-filename (url-generic-parse-url uri))) 'utf-8)))
    (if (eq system-type 'windows-nt) (substring name 1) name)))

(defun cocosearch--hit-file (hit)
  "The name of the file that HIT is in."
  (cocosearch--file (plist-get (plist-get hit :location) :uri)))

(defun cocosearch--hit-line (hit)
  "The line of HIT, from 1."
  (1+ (plist-get (plist-get (plist-get hit :selectionRange) :start) :line)))

(defun cocosearch--hit-column (hit)
  "The column of HIT, from 0."
  (or (plist-get (plist-get (plist-get hit :selectionRange) :start) :character) 0))

(defun cocosearch--hit-text-line (hit)
  "The text of the best line of HIT, or of its unsaved text."
  (when-let* ((text (plist-get hit :text)))
    (nth (- (1- (cocosearch--hit-line hit))
            (plist-get (plist-get (plist-get hit :contextRange) :start) :line))
         (split-string text "\n"))))

(defun cocosearch--hit-head (hit)
  "The text of the best line of HIT, else the head of its definition."
  (string-trim
   (or (plist-get (plist-get hit :bestLine) :text)
       (cocosearch--hit-text-line hit)
       (plist-get (plist-get hit :symbol) :signature)
       (plist-get hit :hierarchy)
       "")))

(defun cocosearch--weak-p (hit)
  "Whether HIT is a weak match."
  (member (plist-get hit :relevance) '("weak" "chance")))

(defun cocosearch--hit-name (hit)
  "The name of the definition that HIT is, or the headings above it."
  (or (plist-get (plist-get hit :symbol) :name) (plist-get hit :hierarchy) ""))

(cl-defstruct (cocosearch--place (:include xref-file-location)
                                 (:constructor cocosearch--make-place (file line column heading)))
  "A location with its own heading: xref groups other locations by file."
  heading)

(cl-defmethod xref-location-group ((place cocosearch--place))
  "The heading of PLACE."
  (cocosearch--place-heading place))

(defun cocosearch--item (root rank hit)
  "HIT below ROOT, which has RANK, as an item of xref."
  (let ((file (cocosearch--hit-file hit)))
    (xref-make
     (cocosearch--hit-head hit)
     (cocosearch--make-place
      file (cocosearch--hit-line hit) (cocosearch--hit-column hit)
      (format "%2d. %.2f  %s%s" rank (plist-get hit :score) (file-relative-name file root)
              (if (cocosearch--weak-p hit) "  (weak)" ""))))))

(defun cocosearch--related-item (root related)
  "The file RELATED to hits below ROOT as an item of xref."
  (let* ((file (cocosearch--file (plist-get related :uri)))
         (via (file-relative-name (cocosearch--file (plist-get related :via)) root))
         (uses (eq (plist-get related :dependent) t))
         (edge (plist-get (plist-get (plist-get related :edge) :range) :start)))
    (xref-make
     (concat (if uses "uses " "used by ") via)
     (cocosearch--make-place
      file (if uses (1+ (plist-get edge :line)) 1) 0
      (format "    related  %s" (file-relative-name file root))))))

(defun cocosearch--root ()
  "The root of the current project.
One is asked for where there is none.  A project that is found is not added
to the user's list of projects, which several Emacs would write at once."
  (expand-file-name (project-root (or (project-current) (project-current t)))))

(defun cocosearch--unfinished (answer)
  "The progress of indexing if ANSWER is incomplete."
  (unless (equal (plist-get answer :state) "ready")
    (format "%s, %d of %d files" (plist-get answer :state)
            (plist-get answer :indexed) (plist-get answer :total))))

(defun cocosearch--remarks (answer)
  "Remarks on ANSWER: the progress of indexing, and warnings."
  (delq nil (cons (cocosearch--unfinished answer) (append (plist-get answer :warnings) nil))))

(defun cocosearch--ask (root question &rest params)
  "Search for QUESTION below ROOT with PARAMS; note if the answer is incomplete."
  (let* ((answer (cocosearch--request
                  root :cocosearch/search
                  (append (list :query question :limit cocosearch-limit :includeText t) params)))
         (remarks (cocosearch--remarks answer)))
    (when remarks (message "cocosearch: %s" (string-join remarks "; ")))
    answer))

(defvar-local cocosearch--shown nil
  "The root of an incomplete list of xref.")

(defun cocosearch--head-line (question answer)
  "The title of the list for QUESTION: how complete ANSWER is."
  (format " %s  (%s)" (car (split-string (string-trim question) "\n"))
          (string-join (cons (if (length= (plist-get answer :hits) 1) "1 answer"
                               (format "%d answers" (length (plist-get answer :hits))))
                             (cocosearch--remarks answer))
                       "; ")))

(defun cocosearch--title-xrefs (title &optional root)
  "Put TITLE above the list of xref; ROOT is the root of an incomplete list."
  (when-let* ((buffer (get-buffer xref-buffer-name)))
    (with-current-buffer buffer
      (setq header-line-format (string-replace "%" "%%" title)
            cocosearch--shown root))))

(defun cocosearch--renew (root)
  "Search again for an incomplete list about ROOT."
  (when-let* ((buffer (get-buffer xref-buffer-name)))
    (when (equal (buffer-local-value 'cocosearch--shown buffer) root)
      (with-current-buffer buffer (xref-revert-buffer)))))

(add-hook 'cocosearch-indexed-hook #'cocosearch--renew)

(defun cocosearch--nothing (answer)
  "Signal why ANSWER has no hits."
  (let ((unfinished (cocosearch--unfinished answer)))
    (user-error "Cocosearch: %s" (or (car (append (plist-get answer :warnings) nil))
                                     (if unfinished (concat "nothing found yet: " unfinished)
                                       "nothing found")))))

(defun cocosearch--question ()
  "The region, the latest kill with a prefix argument, or a question.
The question is read from the minibuffer."
  (cond ((use-region-p) (buffer-substring-no-properties (region-beginning) (region-end)))
        (current-prefix-arg (current-kill 0))
        (t (read-string "Find code: " nil 'cocosearch-history))))

;;;###autoload
(defun cocosearch (question)
  "Find code of the current project that answers QUESTION.
The region is the question where it is active; with a prefix argument it is
the latest kill: a bug report, a log or a stack trace."
  (interactive (list (cocosearch--question)))
  (let* ((root (cocosearch--root))
         (answer (cocosearch--ask root question))
         (fresh answer))
    (when (seq-empty-p (plist-get answer :hits)) (cocosearch--nothing answer))
    (xref-show-xrefs
     (lambda ()
       ;; The first list has the hits of the answer; reverting it searches again.
       (let ((current (or fresh (cocosearch--ask root question))))
         (unless fresh (cocosearch--title question current root))
         (setq fresh nil)
         (append
          (seq-map-indexed (lambda (hit index) (cocosearch--item root (1+ index) hit))
                           (plist-get current :hits))
          (mapcar (lambda (related) (cocosearch--related-item root related))
                  (plist-get current :related)))))
     nil)
    (when (get-buffer-window xref-buffer-name) (cocosearch--title question answer root))))

(defun cocosearch--title (question answer root)
  "Put a title for ANSWER to QUESTION about ROOT above the list of xref."
  (cocosearch--title-xrefs (cocosearch--head-line question answer)
                           (and (cocosearch--unfinished answer) root)))

;;;###autoload
(defun cocosearch-status ()
  "Show the state of the index of the current project."
  (interactive)
  (let* ((status (cocosearch--request (cocosearch--root) :cocosearch/status
                                      (make-hash-table :size 1)))
         (reason (plist-get status :reason)))
    (message "cocosearch: %s, %d of %d files%s" (plist-get status :state)
             (plist-get status :indexed) (plist-get status :total)
             (if reason (concat "; " reason) ""))))

;;;###autoload
(defun cocosearch-reindex (&optional full)
  "Index changed files of the current project.
With prefix FULL, delete the index first."
  (interactive "P")
  (cocosearch--request (cocosearch--root) :cocosearch/reindex
                       (list :full (if full t :json-false)))
  (message "cocosearch: %s" (if full "reindexing all files" "indexing changed files")))

(declare-function consult--dynamic-collection "ext:consult" (fun &rest options))
(declare-function consult--format-file-line-match "ext:consult" (file line match))
(declare-function consult--grep-state "ext:consult" ())
(declare-function consult--multi "ext:consult" (sources &rest options))

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
  ;; Consult may run this in a timer; the minibuffer has the folder of the user.
  (with-current-buffer (window-buffer (or (active-minibuffer-window) (selected-window)))
    ;; Consult takes one answer, which is not to wait for models while the user types.
    (let ((answer (cocosearch--ask (cocosearch--root) question :typing t)))
      (mapcar #'cocosearch--consult-line (plist-get answer :hits)))))

(defun cocosearch--consult-score (line)
  "The score of the hit in LINE."
  (format "  %.2f" (get-text-property 0 'cocosearch-score line)))

(defvar cocosearch-consult-source nil
  "Source for `consult--multi', which lists hits while typing.
It is made when consult is loaded.")

(with-eval-after-load 'consult
  (setq cocosearch-consult-source
        (list :name "Code by meaning"
              :narrow ?c
              :category 'consult-grep
              :enabled #'project-current
              :history 'cocosearch-history
              :annotate #'cocosearch--consult-score
              :state #'consult--grep-state
              :async (consult--dynamic-collection #'cocosearch--consult-lines))))

;;;###autoload
(defun cocosearch-consult ()
  "Search code of the current project while typing."
  (interactive)
  (unless (require 'consult nil t)
    (user-error "Please install consult, or use `M-x cocosearch'"))
  (let ((default-directory (cocosearch--root)))
    ;; Start the server while the user types.
    (cocosearch--connection default-directory)
    (consult--multi '(cocosearch-consult-source)
                    :prompt "Find code: " :require-match t :sort nil)))

(declare-function lsp-register-client "ext:lsp-mode" (client))
(declare-function make-lsp-client "ext:lsp-mode" (&rest slots))
(declare-function lsp-stdio-connection "ext:lsp-mode" (command))

(defun cocosearch-add-to-lsp-mode ()
  "Let lsp-mode start the server beside other servers of a buffer."
  (let ((handlers (make-hash-table :test 'equal)))
    ;; lsp-mode warns about unknown notifications.
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
