;;; emacs-names.el --- Asks in a folder whose name has signs of URIs, beside text that is not Unicode  -*- lexical-binding: t -*-

(load (expand-file-name "emacs-asking" (file-name-directory load-file-name)))
(require 'cocosearch-live)

(defun play ()
  "Ask about a file of that folder, and go to what was found."
  (let ((latin (let ((coding-system-for-read 'raw-text)) (find-file-noselect "latin.txt"))) seen)
    (with-current-buffer latin
      (goto-char (point-max))
      (insert "paid\n"))
    (with-current-buffer (find-file-noselect "src/50% off?.go")
      (wait-for-index)
      (let* ((root (cocosearch--root))
             (found (cocosearch--ask root "SettleInvoice"))
             (hit (aref (plist-get found :hits) 0)))
        (setq seen (list :file (file-relative-name (cocosearch--hit-file hit) root)))
        (dolist (word '("SettleInvoice" "CancelInvoice"))
          (setq hit (aref (plist-get (cocosearch--ask root word) :hits) 0))
          (goto-char (point-min))
          (save-current-buffer
            (cocosearch--go-to-hit hit)
            (setq seen (plist-put seen (intern (concat ":" word)) (buffer-substring-no-properties (point) (line-end-position))))))
        ;; In no file on disk; only the buffers were told.
        (setq seen (plist-put seen :unsaved
                              (plist-get (cocosearch--ask root "paid in\x3fffe4mter") :state)))))
    seen))

(write-seen #'play)
