;;; cocosearch-graph.el --- Imports and calls  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Files and calls as lists of xref: `cocosearch-related', `cocosearch-impact', `cocosearch-path', `cocosearch-callers'
;; and `cocosearch-callees'; and `cocosearch-context', which copies the code for a question.

;;; Code:

(require 'cocosearch)

(defun cocosearch--current-file ()
  "The file of the current buffer."
  (or (buffer-file-name) (user-error "Cocosearch: this buffer has no file")))

(defun cocosearch--show-places (title places)
  "Show PLACES under TITLE; each is a list of a file, a line from 1, a text."
  (unless places (user-error "Cocosearch: %s: nothing found" title))
  (xref-show-xrefs
   (lambda () (mapcar (pcase-lambda (`(,file ,line ,text))
                        (xref-make text (xref-make-file-location file line 0)))
                      places))
   nil)
  (when (get-buffer-window xref-buffer-name) (cocosearch--title-xrefs (concat " " title))))

(defun cocosearch--out-of (answer shown total)
  "Return a note if the list SHOWN of ANSWER is shorter than its TOTAL."
  (let ((count (length (plist-get answer shown))) (all (plist-get answer total)))
    (if (and all (< count all)) (format " (%d of %d)" count all) "")))

(defun cocosearch--edge (root file)
  "Convert FILE of an answer about the project at ROOT to a place."
  (let ((line (1+ (or (plist-get file :line) 0)))
        (is-dependent (eq (plist-get file :dependent) t)))
    (list (expand-file-name (plist-get file :path) root) (if is-dependent line 1)
          (pcase (plist-get file :reason)
            ("co-change" "changed together in earlier commits")
            ("name" "named alike")
            (_ (format "%s %s:%d (%s)" (if is-dependent "uses" "used by") (plist-get file :via) line
                       (string-join (append (plist-get file :types) nil) ", ")))))))

;;;###autoload
(defun cocosearch-related ()
  "Show the dependencies and dependents of the current file."
  (interactive)
  (let* ((file (cocosearch--current-file)) (root (cocosearch--root))
         (answer (cocosearch--request root :cocosearch/related (list :path (file-truename file)))))
    (cocosearch--show-places (concat "related to " (file-relative-name file root)
                                     (cocosearch--out-of answer :files :total))
                             (mapcar (lambda (each) (cocosearch--edge root each)) (plist-get answer :files)))))

;;;###autoload
(defun cocosearch-impact ()
  "Show the files that a change of the current file may affect."
  (interactive)
  (let* ((file (cocosearch--current-file)) (root (cocosearch--root))
         (answer (cocosearch--request root :cocosearch/impact (list :paths (vector (file-truename file))))))
    (cocosearch--show-places
     (concat "what a change of " (file-relative-name file root) " may touch"
             (cocosearch--out-of answer :files :total)
             (cocosearch--out-of answer :tests :testsTotal))
     (append (mapcar (lambda (each) (cocosearch--edge root each)) (plist-get answer :files))
             (mapcar (lambda (test) (list (expand-file-name test root) 1 "a test to run"))
                     (plist-get answer :tests))))))

;;;###autoload
(defun cocosearch-path (target)
  "Show the dependency path from the current file to the file TARGET."
  (interactive "fDepends on: ")
  (let* ((file (cocosearch--current-file)) (root (cocosearch--root)) (step 0)
         (answer (cocosearch--request root :cocosearch/path
                                      (list :from (file-truename file)
                                            :to (file-truename (expand-file-name target))))))
    (cocosearch--show-places
     (format "from %s to %s" (file-relative-name file root) (file-relative-name target root))
     (mapcar (lambda (path) (list (expand-file-name path root) 1 (format "step %d" (cl-incf step))))
             (plist-get answer :files)))))

(defun cocosearch--calls (method name)
  "Show the answer to METHOD for the definition NAME."
  (let* ((is-callers (eq method :cocosearch/callers))
         (answer (cocosearch--request (cocosearch--root) method (list :name name))))
    (cocosearch--show-places
     (format "%s of %s%s" (if is-callers "callers" "callees") name
             (cocosearch--out-of answer :calls :total))
     (mapcar (lambda (call)
               (let* ((target (plist-get call :target))
                      (place (plist-get (if is-callers call target) :location)))
                 (list (cocosearch--file (plist-get place :uri))
                       (1+ (plist-get (plist-get (plist-get place :range) :start) :line))
                       (if is-callers (plist-get call :caller) (plist-get target :name)))))
             (plist-get answer :calls)))))

(defun cocosearch--read-name (prompt)
  "Read a name with PROMPT; the default is the name at point."
  (let ((here (thing-at-point 'symbol t)))
    (list (read-string (format-prompt prompt here) nil nil here))))

;;;###autoload
(defun cocosearch-callers (name)
  "Show the callers of the definition NAME."
  (interactive (cocosearch--read-name "Callers of"))
  (cocosearch--calls :cocosearch/callers name))

;;;###autoload
(defun cocosearch-callees (name)
  "Show the callees of the definition NAME."
  (interactive (cocosearch--read-name "Callees of"))
  (cocosearch--calls :cocosearch/callees name))

;;;###autoload
(defun cocosearch-similar ()
  "Show code in other files that resembles the code at point."
  (interactive)
  (let* ((root (cocosearch--root))
         (place (format "similar to %s:%d" (file-relative-name (cocosearch--current-file) root)
                        (line-number-at-pos nil t)))
         (answer (cocosearch--request
                  root :cocosearch/similar
                  (list :uri (cocosearch--uri (cocosearch--current-file)) :limit cocosearch-limit
                        :position (list :line (1- (line-number-at-pos nil t)) :character 0))))
         (hits (plist-get answer :hits)))
    (when (seq-empty-p hits) (user-error "Cocosearch: %s: nothing found" place))
    (xref-show-xrefs
     (lambda () (seq-map-indexed (lambda (hit index) (cocosearch--item root (1+ index) hit)) hits)) nil)
    (when (get-buffer-window xref-buffer-name) (cocosearch--title-xrefs (concat " " place)))))

;;;###autoload
(defun cocosearch-context (question)
  "Copy the code for QUESTION as Markdown."
  (interactive (list (cocosearch--question)))
  (let ((answer (cocosearch--request (cocosearch--root) :cocosearch/context (list :query question))))
    (when (string-empty-p (plist-get answer :markdown)) (user-error "Cocosearch: nothing found"))
    (kill-new (plist-get answer :markdown))
    (message "cocosearch: copied %d passages, %d tokens" (length (plist-get answer :items))
             (plist-get answer :tokensUsed))))

(provide 'cocosearch-graph)
;;; cocosearch-graph.el ends here
