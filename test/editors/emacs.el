;;; emacs.el --- Asks in a real Emacs, writes what its user would see  -*- lexical-binding: t -*-

(require 'eglot)

(defconst patience-seconds 60)

(defun first-answer (ask)
  "Call ASK again and again until it shows something: the place of the first."
  (let* ((deadline (+ (float-time) patience-seconds))
         items
         (xref-show-xrefs-function (lambda (fetch _) (setq items (funcall fetch)))))
    (while (null items)
      (when (> (float-time) deadline) (error "Waited in vain for an answer"))
      (ignore-error user-error (funcall ask))
      (accept-process-output nil 0.1))
    (let ((location (xref-item-location (car items))))
      (list :file (file-relative-name (xref-file-location-file location))
            :line (xref-file-location-line location)
            :text (substring-no-properties (xref-item-summary (car items)))))))

(defun play (question)
  "Ask QUESTION in both ways."
  (let ((default-directory default-directory) seen)
    (find-file "src/pool.py")
    (cd "..")
    (setq seen (plist-put seen :command (first-answer (lambda () (cocosearch question)))))
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
                            (first-answer (lambda () (cocosearch "borrow_lawnmower")))))
      (set-buffer-modified-p nil)
      (setq seen (plist-put seen :reverted
                            (first-answer (lambda () (cocosearch "borrow_lawnmower"))))))
    (setq seen (plist-put seen :reindex (cocosearch-reindex)))
    (plist-put seen :children (vconcat (delq nil (mapcar #'process-id (process-list)))))))

(let ((seen (condition-case problem (play (getenv "COCOSEARCH_TEST_QUESTION"))
              (error (list :problem (error-message-string problem))))))
  (with-temp-file (getenv "COCOSEARCH_TEST_SEEN") (insert (json-serialize seen))))
