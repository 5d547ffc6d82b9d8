;;; cocosearch-past.el --- The history of a project  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `cocosearch-commits' finds commits while typing, with their diff as the preview.
;; `cocosearch-explain' shows the commits that shaped the lines of the region.

;;; Code:

(require 'cocosearch-live)
(require 'diff-mode)

(declare-function magit-show-commit "ext:magit-diff" (revision))

(defun cocosearch--commit-text (commit)
  "Format COMMIT like `git show'."
  (concat
   (format "commit %s\nAuthor: %s\nDate:   %s\n\n    %s\n" (plist-get commit :sha) (plist-get commit :author)
           (plist-get commit :age) (plist-get commit :subject))
   (mapconcat (lambda (hunk)
                (let ((path (plist-get hunk :path)))
                  (format "\n--- a/%s\n+++ b/%s\n%s\n" path path (or (plist-get hunk :patch) ""))))
              (plist-get commit :hunks) "")))

(defun cocosearch--commit-buffer (commit name)
  "A buffer NAME with the text of COMMIT."
  (with-current-buffer (get-buffer-create name)
    (let ((inhibit-read-only t))
      (erase-buffer)
      (insert (cocosearch--commit-text commit))
      (delay-mode-hooks (diff-mode))
      (setq buffer-read-only t)
      (goto-char (point-min)))
    (current-buffer)))

(defun cocosearch--preview-commit (commit _question)
  "Show COMMIT in the current window."
  (switch-to-buffer (cocosearch--commit-buffer commit " *cocosearch commit preview*") t t)
  (font-lock-mode 1))

(defun cocosearch--open-commit (commit)
  "Open COMMIT with magit if installed, else as a diff."
  (if (require 'magit nil t) (magit-show-commit (plist-get commit :sha))
    (pop-to-buffer (cocosearch--commit-buffer
                    commit (format "*commit %s*" (substring (plist-get commit :sha) 0 10))))))

(defun cocosearch--commit-row (commit _root)
  "COMMIT as a line: score, subject, age."
  (concat (cocosearch--bar (plist-get commit :score)) " "
          (propertize (plist-get commit :subject) 'face 'cocosearch-name)
          "  " (propertize (plist-get commit :age) 'face 'shadow)))

(defun cocosearch--read-commits (answer)
  "Return the commits of ANSWER, and a text with the progress of the history."
  (let* ((commits (append (plist-get answer :commits) nil))
         (history (plist-get answer :history))
         (count (if commits (format "%d commits" (length commits)) "no commit found")))
    (list commits
          (if (equal (plist-get history :state) "ready") count
            (format "%s · %s" count (or (plist-get history :reason)
                                        (format "the history is %s" (plist-get history :state)))))
          nil)))

(defun cocosearch--export-commits (commits question _root)
  "Show COMMITS for QUESTION in a buffer."
  (with-current-buffer (get-buffer-create "*cocosearch commits*")
    (let ((inhibit-read-only t))
      (erase-buffer)
      (insert question "\n\n" (mapconcat #'cocosearch--commit-text commits "\n"))
      (delay-mode-hooks (diff-mode))
      (goto-char (point-min)))
    (pop-to-buffer (current-buffer))))

;;;###autoload
(defun cocosearch-commits (&optional initial)
  "Find commits while typing, with the initial question INITIAL."
  (interactive)
  (cocosearch--open-live
   (make-cocosearch-source
    :method :cocosearch/history :params (list :limit cocosearch-limit :patch t)
    :read #'cocosearch--read-commits :row #'cocosearch--commit-row :preview #'cocosearch--preview-commit
    :choose #'cocosearch--open-commit :export #'cocosearch--export-commits)
   initial))

;;;###autoload
(defun cocosearch-explain (begin end)
  "Show the commits that shaped the lines from BEGIN to END.
Those are the lines of the region, else the current one."
  (interactive (if (use-region-p) (list (region-beginning) (region-end))
                 (list (line-beginning-position) (line-end-position))))
  (unless (buffer-file-name) (user-error "Cocosearch: this buffer has no file"))
  (let* ((first (1- (line-number-at-pos begin t)))
         (last (save-excursion (goto-char end) (- (line-number-at-pos nil t) (if (and (bolp) (> end begin)) 1 0))))
         (answer (cocosearch--request
                  (cocosearch--root) :cocosearch/explain
                  (list :uri (cocosearch--uri (buffer-file-name))
                        :range (list :start (list :line first :character 0)
                                     :end (list :line last :character 0)))))
         (summary (plist-get answer :summary)))
    (with-help-window "*cocosearch explain*"
      (princ (if (string-empty-p summary) "Not committed." summary)))))

(provide 'cocosearch-past)
;;; cocosearch-past.el ends here
