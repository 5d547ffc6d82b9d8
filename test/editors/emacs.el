;;; emacs.el --- Asks in a real Emacs, writes what its user would see  -*- lexical-binding: t -*-

(load (expand-file-name "emacs-asking" (file-name-directory load-file-name)))

(defun play (question)
  "Ask QUESTION in both ways."
  (let ((default-directory default-directory) seen)
    (find-file "src/pool.py")
    (cd "..")
    ;; As with C-g: no server answers that soon.
    (with-timeout (0.01) (cocosearch-status))
    (setq seen (plist-put seen :abandoned (children)))
    (wait-for-index)
    (setq seen (plist-put seen :command (first-answer (lambda () (cocosearch question)))))
    (cocosearch question)
    (setq seen (plist-put seen :title (buffer-local-value 'header-line-format (get-buffer "*xref*"))))
    (kill-buffer "*xref*")
    (setq seen (plist-put seen :status (cocosearch-status)))
    (call-interactively #'eglot)
    (setq seen (plist-put seen :apropos (first-answer (lambda () (xref-find-apropos question)))))
    (setq seen (plist-put seen :answer
                          (jsonrpc-request (eglot-current-server) :cocosearch/search
                                           (list :query question :limit 1))))
    (with-current-buffer (find-file-noselect "src/pool.py")
      (goto-char (point-max))
      (insert "\ndef borrow_lawnmower():\n    pass\n")
      (setq seen (plist-put seen :unsaved
                            (first-answer (lambda () (cocosearch "borrow_lawnmower"))
                                          (names "borrow_lawnmower"))))
      (set-buffer-modified-p nil)
      (setq seen (plist-put seen :reverted
                            ;; By its name alone nothing is found any more.
                            (first-answer (lambda () (cocosearch "borrow_lawnmower connection"))
                                          (lambda (text) (not (string-search "lawnmower" text)))))))
    (setq seen (plist-put seen :reindex (cocosearch-reindex)))
    (plist-put seen :children (children))))

(write-seen (lambda () (play (getenv "COCOSEARCH_TEST_QUESTION"))))
