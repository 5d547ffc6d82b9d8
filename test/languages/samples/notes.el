;;; notes.el --- Notes beside files  -*- lexical-binding: t; -*-

;;; Commentary:

;; Keeps a note for each file that is visited.

;;; Code:

(require 'subr-x)

(defgroup notes nil
  "Notes beside files."
  :group 'files)

(defcustom notes-directory "~/notes"
  "Where notes are kept."
  :type 'directory)

(defvar notes--open nil
  "Buffers with notes that are shown.")

(cl-defstruct notes-entry
  file text)

(defun notes--path (file)
  "The path of the note that belongs to FILE."
  (expand-file-name
   (concat (md5 file) ".txt")
   notes-directory))

;;;###autoload
(defun notes-visit ()
  "Visit the note of the current file."
  (interactive)
  (unless buffer-file-name
    (user-error "No file here"))
  (find-file-other-window (notes--path buffer-file-name)))

(defmacro notes-with-buffer (file &rest body)
  "Run BODY in the note of FILE."
  (declare (indent 1))
  `(with-current-buffer (find-file-noselect (notes--path ,file))
     ,@body))

(define-minor-mode notes-mode
  "Show whether a file has a note."
  :lighter " Note")

(provide 'notes)
;;; notes.el ends here
