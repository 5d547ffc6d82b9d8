;;; emacs-commands.el --- Runs the commands about dependencies and history  -*- lexical-binding: t -*-

(load (expand-file-name "emacs-asking" (file-name-directory load-file-name)))

(defun listed (command)
  "The places that COMMAND lists: file, line and text."
  (let* (items (xref-show-xrefs-function (lambda (fetch _) (setq items (funcall fetch)))))
    (funcall command)
    (vconcat (mapcar (lambda (item)
                       (let ((location (xref-item-location item)))
                         (format "%s:%d %s"
                                 (file-relative-name (xref-file-location-file location) (cocosearch--root))
                                 (xref-file-location-line location)
                                 (substring-no-properties (xref-item-summary item)))))
                     items))))

(defun wait-for-history ()
  "Wait until the commits of the project can be found."
  (wait-for "the history"
            (lambda ()
              (let ((status (cocosearch--request (cocosearch--root) :cocosearch/status
                                                 (make-hash-table :size 1))))
                (equal "ready" (plist-get (plist-get (aref (plist-get status :indexes) 0) :history)
                                          :state))))))

(defun first-commit ()
  "The row and the text of the best commit."
  (let* ((answer (cocosearch--request (cocosearch--root) :cocosearch/history
                                      '(:query "why are slow networks tried again" :patch t)))
         (commit (caar (cocosearch--read-commits answer))))
    (cocosearch--open-commit commit)
    (list :row (substring-no-properties (cocosearch--commit-row commit nil))
          :text (with-current-buffer (format "*commit %s*" (substring (plist-get commit :sha) 0 10))
                  (buffer-substring-no-properties (point-min) (point-max))))))

(defun play ()
  "Run each command."
  (let ((pool (find-file-noselect "src/pool.py")) (shop (find-file-noselect "src/shop.py")) seen)
    (with-current-buffer pool
      (wait-for-index)
      (wait-for-history)
      (setq seen (list :related (listed #'cocosearch-related)
                       :impact (listed #'cocosearch-impact)
                       :similar (listed #'cocosearch-similar)
                       :callers (listed (lambda () (cocosearch-callers "open_pool"))))))
    (with-current-buffer shop
      (setq seen (plist-put seen :path (listed (lambda () (cocosearch-path (buffer-file-name pool))))))
      (setq seen (plist-put seen :callees (listed (lambda () (cocosearch-callees "start_shop"))))))
    (with-current-buffer pool
      (setq seen (plist-put seen :commit (save-window-excursion (save-current-buffer (first-commit)))))
      (goto-char (point-min))
      (save-window-excursion (cocosearch-explain (point) (line-end-position)))
      (setq seen (plist-put seen :explained
                            (with-current-buffer "*cocosearch explain*" (buffer-string))))
      (cocosearch-context "how is the pool opened")
      (setq seen (plist-put seen :copied (substring-no-properties (current-kill 0))))
      (transient-mark-mode 1)
      (push-mark (point-min) t t)
      (goto-char (line-end-position))
      (setq seen (plist-put seen :selected (cocosearch--question))))))

(write-seen #'play)
