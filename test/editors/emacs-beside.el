;;; emacs-beside.el --- Asks where another server works in the same buffer  -*- lexical-binding: t -*-

(load (expand-file-name "emacs-asking" (file-name-directory load-file-name)))

(defun play (question)
  "Ask QUESTION, and for a name that the other server knows."
  (find-file "src/pool.py")
  (let ((default-directory (file-name-directory (directory-file-name default-directory)))
        (through-eglot (getenv "COCOSEARCH_TEST_THROUGH_EGLOT"))
        seen)
    (call-interactively #'eglot)
    (wait-for-index)
    (setq seen (list :command (first-answer (lambda () (cocosearch question)))))
    (when through-eglot
      (setq seen (plist-put seen :apropos (first-answer (lambda () (xref-find-apropos question)))))
      (setq seen (plist-put seen :answer
                            (jsonrpc-request (eglot-current-server) :cocosearch/search
                                             (list :query question :limit 1))))
      (setq seen (plist-put seen :status
                            (jsonrpc-request (eglot-current-server) :workspace/executeCommand
                                             '(:command "cocosearch.status")))))
    (setq seen (plist-put seen :other (first-answer (lambda () (xref-find-apropos "otherpool")))))
    (setq seen (plist-put seen :other_command
                          (jsonrpc-request (eglot-current-server) :workspace/executeCommand
                                           '(:command "other.say"))))
    (setq seen (plist-put seen :hover
                          (plist-get (jsonrpc-request (eglot-current-server) :textDocument/hover
                                                      (eglot--TextDocumentPositionParams))
                                     :contents)))
    (plist-put seen :children (children))))

(write-seen (lambda () (play (getenv "COCOSEARCH_TEST_QUESTION"))))
