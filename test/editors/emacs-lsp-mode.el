;;; emacs-lsp-mode.el --- Asks where lsp-mode runs us beside another server  -*- lexical-binding: t -*-

(load (expand-file-name "emacs-asking" (file-name-directory load-file-name)))

(setq lsp-auto-guess-root t
      ;; The hundred servers that it knows are not there.
      lsp-client-packages nil)
(require 'lsp-mode-autoloads)
(require 'lsp-mode)
(lsp-register-client
 (make-lsp-client :new-connection (lsp-stdio-connection '("ty" "server"))
                  :major-modes '(python-mode)
                  :server-id 'ty))

(defun apropos-of (words &optional fits)
  "The first place that lsp-mode's servers give for WORDS whose text FITS."
  (first-answer (lambda () (xref-find-apropos words)) fits))

(defun run-command (name &rest arguments)
  "What our server answers to the command NAME with ARGUMENTS."
  (with-lsp-workspace (lsp-find-workspace 'cocosearch)
    (lsp-workspace-command-execute name (vconcat arguments))))

(defun chosen (question)
  "Where the first that the server offers for QUESTION leads."
  (let (offered)
    (cl-letf (((symbol-function 'completing-read)
               (lambda (_ choices &rest _) (setq offered choices) (car choices))))
      ;; On a busy machine lsp-mode may lose what comes too soon after an answer.
      (wait-for "the choice" (lambda ()
                               (run-command "cocosearch.search" question)
                               (accept-process-output nil 1)
                               offered)))
    (wait-for "the jump" (lambda () (not (eq (window-buffer) (current-buffer)))))
    (list :file (file-relative-name (buffer-file-name (window-buffer)))
          :line (with-current-buffer (window-buffer) (line-number-at-pos)))))

(defun play (question)
  "Ask QUESTION in each way, and for a name that the other server knows."
  (find-file "src/pool.py")
  (lsp)
  (let ((default-directory (file-name-directory (directory-file-name default-directory)))
        (start (current-buffer))
        seen)
    (wait-for "both servers"
              (lambda () (= 2 (seq-count (lambda (each) (eq (lsp--workspace-status each) 'initialized))
                                       (lsp-workspaces)))))
    (wait-for-index)
    (setq seen (plist-put seen :command (first-answer (lambda () (cocosearch question)))))
    (setq seen (plist-put seen :apropos (apropos-of question)))
    (setq seen (plist-put seen :status (run-command "cocosearch.status")))
    (setq seen (plist-put seen :chosen (chosen question)))
    (switch-to-buffer start)
    (setq seen (plist-put seen :other (apropos-of "otherpool")))
    (setq seen (plist-put seen :hover
                          (gethash "contents" (lsp-request "textDocument/hover"
                                                           (lsp--text-document-position-params)))))
    (goto-char (point-max))
    (insert "\ndef borrow_lawnmower():\n    pass\n")
    (setq seen (plist-put seen :unsaved (apropos-of "borrow_lawnmower" (names "borrow_lawnmower"))))
    (set-buffer-modified-p nil)
    (plist-put seen :children (children))))

(write-seen (lambda () (play (getenv "COCOSEARCH_TEST_QUESTION"))))
