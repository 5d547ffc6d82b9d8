;;; emacs-asking.el --- What the scripts in this folder share  -*- lexical-binding: t -*-

(require 'xref)

(defconst timeout-seconds 100)

(defun wait-for (what holds)
  "Let processes say something until HOLDS returns something; WHAT is for the message."
  (let ((deadline (+ (float-time) timeout-seconds)))
    (while (not (funcall holds))
      (when (> (float-time) deadline) (error "Waited in vain for %s" what))
      (accept-process-output nil 0.1))))

(defun wait-for-index ()
  "Wait until all files of the project can be found."
  (wait-for "the index" (lambda () (string-prefix-p "cocosearch: ready" (cocosearch-status)))))

(defun first-answer (ask &optional fits)
  "Call ASK until it shows something whose first text FITS, if that is given: its place."
  (let* (item
         (text (lambda () (substring-no-properties (xref-item-summary item))))
         (xref-show-xrefs-function (lambda (fetch _) (setq item (car (funcall fetch))))))
    (wait-for "an answer" (lambda ()
                            (setq item nil)
                            (ignore-error user-error (funcall ask))
                            (and item (or (not fits) (funcall fits (funcall text))))))
    (let ((location (xref-item-location item)))
      (list :file (file-relative-name (xref-file-location-file location))
            :line (xref-file-location-line location)
            :group (xref-location-group location)
            :text (funcall text)))))

(defun names (word)
  "A test for texts with WORD in them."
  (lambda (text) (string-search word text)))

(defun children ()
  "The processes that this Emacs has started."
  (vconcat (delq nil (mapcar #'process-id (process-list)))))

(defun write-seen (play)
  "Write what PLAY returns, or how it failed, for the test."
  (let ((seen (condition-case problem (funcall play)
                (error (list :problem (error-message-string problem)))))
        (coding-system-for-write 'utf-8))
    (with-temp-file (getenv "COCOSEARCH_TEST_SEEN") (json-insert seen))))
