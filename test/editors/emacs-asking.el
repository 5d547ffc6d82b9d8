;;; emacs-asking.el --- What the scripts in this folder share  -*- lexical-binding: t -*-

(require 'xref)

(defconst patience-seconds 60)

(defun wait-for (what holds)
  "Let processes say something until HOLDS returns something; WHAT is for the message."
  (let ((deadline (+ (float-time) patience-seconds)))
    (while (not (funcall holds))
      (when (> (float-time) deadline) (error "Waited in vain for %s" what))
      (accept-process-output nil 0.1))))

(defun first-answer (ask)
  "Call ASK again and again until it shows something: the place of the first."
  (let* (items
         (xref-show-xrefs-function (lambda (fetch _) (setq items (funcall fetch)))))
    (wait-for "an answer" (lambda () (ignore-error user-error (funcall ask)) items))
    (let ((location (xref-item-location (car items))))
      (list :file (file-relative-name (xref-file-location-file location))
            :line (xref-file-location-line location)
            :text (substring-no-properties (xref-item-summary (car items)))))))

(defun children ()
  "The processes that this Emacs has started."
  (vconcat (delq nil (mapcar #'process-id (process-list)))))

(defun write-seen (play)
  "Write what PLAY returns, or how it failed, for the test."
  (let ((seen (condition-case problem (funcall play)
                (error (list :problem (error-message-string problem))))))
    (with-temp-file (getenv "COCOSEARCH_TEST_SEEN") (insert (json-serialize seen)))))
