;;; cocosearch-live.el --- Search while typing  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `cocosearch-live' needs no other package: it reads the question in the minibuffer, lists the hits in a window above it,
;; and previews the chosen hit.  RET goes there, \\[keyboard-quit] goes back.

;;; Code:

(require 'cl-lib)
(require 'cocosearch)
(require 'hl-line)

(defface cocosearch-match '((t :inherit match)) "Words of the question in a preview." :group 'cocosearch)
(defface cocosearch-context '((t :inherit secondary-selection :extend t))
  "Lines of a hit." :group 'cocosearch)
(defface cocosearch-line '((t :inherit highlight :extend t))
  "The best line of a hit." :group 'cocosearch)
(defface cocosearch-score '((t :inherit shadow)) "The bar of a score." :group 'cocosearch)
(defface cocosearch-name '((t :inherit font-lock-function-name-face)) "Names." :group 'cocosearch)

(defcustom cocosearch-live-delay 0.12
  "Debounce after the last key, in seconds."
  :type 'number :group 'cocosearch)

(cl-defstruct cocosearch-source
  "The source of a list: the METHOD to call, with the property list PARAMS.
Where HAS-MODELS, answers to what is typed do not wait for models.
READ returns the items of an answer and a sentence about it, ROW the line of an
item below a root, PREVIEW shows an item in the current window, CHOOSE goes to
it, and EXPORT makes a list of the items for a question."
  method params has-models read row preview choose export)

(cl-defstruct cocosearch--live
  source root origin items (row 0) question filters sentence is-unfinished improved buffer timer cancel)

(defconst cocosearch--empty-delay 1
  "Seconds until an empty answer is retried during indexing.")

(defconst cocosearch--rest-delay 0.5
  "Seconds without a key after which typing rests.
Within a question, most pauses between keys are shorter.")

(defvar cocosearch--live nil "The list that is open, or was last.")

(defconst cocosearch--eighths ["" "▏" "▎" "▍" "▌" "▋" "▊" "▉"])

(defun cocosearch--bar (score)
  "SCORE as a bar of four columns."
  (let* ((eighths (round (* 32 (min 1 (max 0 score)))))
         (bar (concat (make-string (/ eighths 8) ?█) (aref cocosearch--eighths (% eighths 8)))))
    (propertize (string-pad bar 4) 'face 'cocosearch-score)))

;;; The words of a question

(defconst cocosearch--common
  (split-string "a about all an and any are as at be by can code do does find for from get gets has have how i if in
into is it its me my not of on or our should that the their them then there these this to up us use used uses using was
we were what when where which who why will with you"))

(defun cocosearch--words (question)
  "The words of QUESTION that may occur in code, as a regexp, if any."
  (let* ((plain (replace-regexp-in-string "\\_<[a-z]+:[^ ]+" " " (downcase question)))
         (words (seq-remove (lambda (word) (or (< (length word) 2) (member word cocosearch--common)))
                            (split-string plain "[^[:alnum:]_]+" t))))
    (when words
      (regexp-opt (mapcar (lambda (word)
                            (if (> (length word) 5) (replace-regexp-in-string "\\(ing\\|ed\\|es\\|s\\)\\'" "" word)
                              (if (> (length word) 3) (string-remove-suffix "s" word) word)))
                          words)))))

;;; Previews

(defun cocosearch--preview-buffer (file)
  "Return a buffer to preview FILE: the open one, or a temporary one."
  (or (find-buffer-visiting file)
      (with-current-buffer (get-buffer-create " *cocosearch preview*")
        (unless (equal file (bound-and-true-p cocosearch--previewed))
          (let ((inhibit-read-only t))
            (erase-buffer)
            (when (file-readable-p file) (insert-file-contents file))
            ;; Without mode hooks, which would start language servers.
            (delay-mode-hooks (let ((buffer-file-name file) (enable-local-variables nil)) (set-auto-mode)))
            (font-lock-mode 1)
            (setq-local cocosearch--previewed file)))
        (current-buffer))))

(defvar cocosearch--previewed)
(put 'cocosearch--previewed 'permanent-local t)

(defun cocosearch--mark (from to face)
  "Highlight the text from FROM to TO with FACE while the list is open."
  (let ((overlay (make-overlay from to)))
    (overlay-put overlay 'face face)
    (overlay-put overlay 'cocosearch t)))

(defun cocosearch--unmark ()
  "Delete the overlays of `cocosearch--mark'."
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (save-restriction (widen) (remove-overlays (point-min) (point-max) 'cocosearch t)))))

(defun cocosearch--line-start (line)
  "Return the position of LINE, which counts from 0."
  (save-excursion (goto-char (point-min)) (forward-line line) (point)))

(defun cocosearch--preview-hit (hit question)
  "Show HIT in the current window, with the words of QUESTION highlighted."
  (switch-to-buffer (cocosearch--preview-buffer (cocosearch--hit-file hit)) t t)
  (widen)
  (cocosearch--unmark)
  (let* ((range (plist-get hit :contextRange))
         (from (cocosearch--line-start (plist-get (plist-get range :start) :line)))
         (to (cocosearch--line-start (plist-get (plist-get range :end) :line)))
         (best (cocosearch--line-start (1- (cocosearch--hit-line hit))))
         (words (cocosearch--words question))
         (case-fold-search t))
    (cocosearch--mark from to 'cocosearch-context)
    (cocosearch--mark best (save-excursion (goto-char best) (line-beginning-position 2)) 'cocosearch-line)
    (when words
      (save-excursion
        (goto-char from)
        (while (re-search-forward words to t)
          (cocosearch--mark (match-beginning 0) (match-end 0) 'cocosearch-match))))
    (goto-char best)
    (recenter)))

(defun cocosearch--go-to-hit (hit)
  "Visit HIT, and push the old position to the mark ring."
  (xref-push-marker-stack)
  (find-file (cocosearch--hit-file hit))
  (widen)
  (goto-char (cocosearch--line-start (1- (cocosearch--hit-line hit))))
  (goto-char (min (+ (point) (cocosearch--hit-column hit)) (line-end-position)))
  (recenter))

;;; Code as a source

(defun cocosearch--read-hits (answer)
  "Return the hits of ANSWER, and a text with their number."
  (let* ((hits (append (plist-get answer :hits) nil))
         (unfinished (cocosearch--unfinished answer))
         (count (pcase (length hits) (0 "nothing found") (1 "1 answer") (n (format "%d answers" n)))))
    (list hits (string-join (cons count (cocosearch--remarks answer)) " · ") unfinished)))

(defun cocosearch--hit-row (hit root)
  "HIT below ROOT as a line: score, name, place, code."
  (let ((name (cocosearch--hit-name hit)))
    (concat (cocosearch--bar (plist-get hit :score)) " "
            (if (string-empty-p name) "" (concat (propertize name 'face 'cocosearch-name) " "))
            (propertize (format "%s:%d" (file-relative-name (cocosearch--hit-file hit) root)
                                (cocosearch--hit-line hit))
                        'face 'font-lock-constant-face)
            " " (propertize (cocosearch--hit-head hit) 'face 'shadow))))

(defun cocosearch--export-hits (hits question root)
  "Show HITS for QUESTION below ROOT as a list of xref."
  (xref-show-xrefs
   (lambda () (seq-map-indexed (lambda (hit index) (cocosearch--item root (1+ index) hit)) hits)) nil)
  (when (get-buffer-window xref-buffer-name) (cocosearch--title-xrefs (concat " " question))))

(defun cocosearch--code ()
  "The source for finding code."
  (make-cocosearch-source
   :method :cocosearch/search :params (list :limit cocosearch-limit :includeText t) :has-models t
   :read #'cocosearch--read-hits :row #'cocosearch--hit-row :preview #'cocosearch--preview-hit
   :choose #'cocosearch--go-to-hit :export #'cocosearch--export-hits))

;;; Filters

(defconst cocosearch--tests
  ["!**/{test,tests,spec,specs,__tests__,testdata,testing}/**"
   "!{test,tests,spec,specs,__tests__,testdata,testing}/**"
   "!{test_*,*_test,*.test,*_spec,*.spec,*Test,*Tests}.*"])

(defun cocosearch--filter (name live)
  "The parameters of the filter NAME of LIVE, and its words, if any."
  (with-current-buffer (cocosearch--live-origin live)
    (pcase name
      ('language
       (let ((mode (string-remove-suffix "-ts" (string-remove-suffix "-mode" (symbol-name major-mode)))))
         (list (list :languages (vector (pcase mode ("js" "javascript") ("sh" "bash") ("c++" "cpp")
                                               ("emacs-lisp" "elisp") (_ mode))))
               (concat "lang:" mode))))
      ('functions (list (list :symbolTypes ["function" "method"]) "functions"))
      ('types (list (list :symbolTypes ["class" "interface"]) "types"))
      ('tests (list (list :paths cocosearch--tests) "no tests"))
      ('folder
       (let ((folder (directory-file-name (file-relative-name default-directory (cocosearch--live-root live)))))
         (unless (or (equal folder ".") (string-prefix-p ".." folder))
           (list (list :paths (vector folder)) (concat "in " folder))))))))

(defun cocosearch--filtered (live)
  "Return the parameters and the names of the active filters of LIVE."
  (let (params words)
    (dolist (name (cocosearch--live-filters live) (list params (nreverse words)))
      (pcase (cocosearch--filter name live)
        (`((,key ,value) ,word)
         (setq params (plist-put params key (vconcat (plist-get params key) value)))
         (push word words))))))

(defun cocosearch-live-toggle (name)
  "Toggle the filter NAME, and search again."
  (let* ((live cocosearch--live) (on (cocosearch--live-filters live)))
    (setf (cocosearch--live-filters live) (if (memq name on) (delq name on) (append on (list name))))
    (cocosearch--ask-soon live 0)))

(defun cocosearch-live-toggle-language ()
  "Toggle the filter for this language."
  (interactive)
  (cocosearch-live-toggle 'language))

(defun cocosearch-live-toggle-tests ()
  "Toggle whether to exclude test files."
  (interactive)
  (cocosearch-live-toggle 'tests))

(defun cocosearch-live-toggle-folder ()
  "Toggle the filter for this folder."
  (interactive)
  (cocosearch-live-toggle 'folder))

(defun cocosearch-live-toggle-kind ()
  "Cycle the kind: functions, types, all."
  (interactive)
  (let ((on (cocosearch--live-filters cocosearch--live)))
    (cond ((memq 'functions on) (cocosearch-live-toggle 'functions) (cocosearch-live-toggle 'types))
          ((memq 'types on) (cocosearch-live-toggle 'types))
          (t (cocosearch-live-toggle 'functions)))))

;;; The list

(defun cocosearch--say (live sentence)
  "Show SENTENCE and the filters above the list of LIVE."
  (setf (cocosearch--live-sentence live) sentence)
  (with-current-buffer (cocosearch--live-buffer live)
    (setq header-line-format
          (string-replace "%" "%%" (concat " " (string-join (cons sentence (cadr (cocosearch--filtered live))) " · "))))
    (force-mode-line-update)))

(defun cocosearch--draw (live)
  "Insert the rows of LIVE, and preview the chosen one."
  (with-current-buffer (cocosearch--live-buffer live)
    (let ((inhibit-read-only t) (source (cocosearch--live-source live)) is-weak)
      (erase-buffer)
      (dolist (item (cocosearch--live-items live))
        (when (and (cocosearch--weak-p item) (not is-weak))
          (setq is-weak t)
          (unless (bobp)
            (let ((overlay (make-overlay (point) (point))))
              (overlay-put overlay 'before-string (propertize "── weak matches ──\n" 'face 'shadow)))))
        (insert (string-replace "\n" " " (funcall (cocosearch-source-row source) item (cocosearch--live-root live)))
                "\n")))
    (cocosearch--choose-row live (cocosearch--live-row live))))

(defun cocosearch--choose-row (live row)
  "Choose ROW of LIVE, and preview it."
  (let* ((items (cocosearch--live-items live))
         (chosen (max 0 (min row (1- (length items)))))
         (item (nth chosen items))
         (list-window (get-buffer-window (cocosearch--live-buffer live)))
         (window (minibuffer-selected-window)))
    (setf (cocosearch--live-row live) chosen)
    (when list-window
      (with-selected-window list-window
        (goto-char (cocosearch--line-start chosen))
        (hl-line-highlight)))
    (when (and item (window-live-p window))
      (with-selected-window window
        (funcall (cocosearch-source-preview (cocosearch--live-source live)) item
                 (cocosearch--live-question live))))))

(defun cocosearch-live-next (&optional count)
  "Choose the next hit, or the one COUNT rows below."
  (interactive "p")
  (cocosearch--choose-row cocosearch--live (+ (cocosearch--live-row cocosearch--live) (or count 1))))

(defun cocosearch-live-previous (&optional count)
  "Choose the previous hit, or the one COUNT rows above."
  (interactive "p")
  (cocosearch-live-next (- (or count 1))))

;;; Requests

(defun cocosearch--ask-soon (live delay)
  "Search for the text in LIVE after DELAY seconds without another key."
  (when (cocosearch--live-timer live) (cancel-timer (cocosearch--live-timer live)))
  (when (cocosearch--live-cancel live) (funcall (cocosearch--live-cancel live)))
  (setf (cocosearch--live-cancel live) nil)
  (setf (cocosearch--live-timer live) (run-at-time delay nil #'cocosearch--ask-now live)))

(defun cocosearch--ask-now (live)
  "Search for the question of LIVE when the server is ready."
  (let ((question (cocosearch--live-question live)))
    (if (string-blank-p question)
        (cocosearch--answered live nil "" nil)
      (condition-case problem
          (let ((connection (cocosearch--connection (cocosearch--live-root live))))
            (cond
             ((cocosearch--ready-p connection) (cocosearch--ask-ready live connection question))
             (t (cocosearch--say live "the server is starting")
                (accept-process-output nil 0)
                (if (jsonrpc-running-p connection)
                    (setf (cocosearch--live-timer live)
                          (run-at-time 0.1 nil #'cocosearch--wait-for-start live connection))
                  (cocosearch--answered live nil (cocosearch--end-reason) nil)))))
        (error (cocosearch--answered live nil (error-message-string problem) nil))))))

(defun cocosearch--wait-for-start (live connection)
  "Search in LIVE when the server of CONNECTION has started, or show why not."
  (cond ((cocosearch--ready-p connection) (cocosearch--ask-now live))
        ((jsonrpc-running-p connection)
         (setf (cocosearch--live-timer live)
               (run-at-time 0.1 nil #'cocosearch--wait-for-start live connection)))
        (t (cocosearch--answered live nil (cocosearch--end-reason) nil))))

(defun cocosearch--asked (live)
  "What identifies the question of LIVE: its text and its filters."
  (list (cocosearch--live-question live) (copy-sequence (cocosearch--live-filters live))))

(defun cocosearch--improve (live)
  "Ask again with the models, unless the user has moved to another row of LIVE."
  (when (zerop (cocosearch--live-row live))
    (setf (cocosearch--live-improved live) (cocosearch--asked live))
    (cocosearch--ask-now live)))

(defun cocosearch--improve-later (live)
  "Ask with the models when typing in LIVE rests."
  (setf (cocosearch--live-timer live)
        (run-at-time cocosearch--rest-delay nil #'cocosearch--improve live)))

(defun cocosearch--ask-ready (live connection question)
  "Send QUESTION for LIVE on CONNECTION; a superseded answer is dropped.
While the user types, no model is asked.  An improved answer is dropped where
it fails, and where the user has moved to another row meanwhile."
  (cocosearch--sync connection (cocosearch--live-root live))
  (let* ((source (cocosearch--live-source live))
         (is-improved (equal (cocosearch--asked live) (cocosearch--live-improved live)))
         (is-first (zerop (cocosearch--live-row live)))
         (typed (and (cocosearch-source-has-models source) (not is-improved) '(:typing t)))
         is-dropped cancel)
    (unless is-improved (setf (cocosearch--live-improved live) nil))
    (setq cancel
          (cocosearch--send
           connection (cocosearch-source-method source)
           (append (list :query question) (car (cocosearch--filtered live)) (cocosearch-source-params source) typed)
           (lambda (answer problem)
             (unless is-dropped
               (setf (cocosearch--live-cancel live) nil)
               (cond ((and is-improved (or problem (and is-first (not (zerop (cocosearch--live-row live)))))))
                     (problem (cocosearch--answered live nil problem nil))
                     (t (apply #'cocosearch--answered live (funcall (cocosearch-source-read source) answer))
                        (when (plist-get answer :canImprove) (cocosearch--improve-later live))))))))
    (setf (cocosearch--live-cancel live)
          (lambda () (setq is-dropped t) (funcall cancel)))))

(defun cocosearch--answered (live items sentence is-unfinished)
  "Show in LIVE the ITEMS of an answer with its SENTENCE.
More may come where IS-UNFINISHED."
  (when (buffer-live-p (cocosearch--live-buffer live))
    (setf (cocosearch--live-items live) items
          (cocosearch--live-is-unfinished live) is-unfinished)
    (cocosearch--say live sentence)
    (cocosearch--draw live)
    ;; A list with rows is refreshed only when the pass ends, so that it does
    ;; not move while the user reads.
    (when (and is-unfinished (null items)) (cocosearch--ask-soon live cocosearch--empty-delay))))

(defun cocosearch--renew-live (root)
  "Search again if the open list about ROOT is incomplete."
  (when (and cocosearch--live (active-minibuffer-window)
             (cocosearch--live-is-unfinished cocosearch--live)
             (equal root (cocosearch--live-root cocosearch--live)))
    (cocosearch--ask-soon cocosearch--live 0)))

(add-hook 'cocosearch-indexed-hook #'cocosearch--renew-live)

(defun cocosearch--typed ()
  "Search after a change of the minibuffer."
  (let ((question (minibuffer-contents-no-properties)))
    (unless (equal question (cocosearch--live-question cocosearch--live))
      (setf (cocosearch--live-question cocosearch--live) question
            (cocosearch--live-row cocosearch--live) 0)
      (cocosearch--ask-soon cocosearch--live cocosearch-live-delay))))

;;; Opening and closing

(defvar-keymap cocosearch-live-map
  :doc "Keys while a question is typed."
  :parent minibuffer-local-map
  "<down>" #'cocosearch-live-next
  "C-n" #'cocosearch-live-next
  "<up>" #'cocosearch-live-previous
  "C-p" #'cocosearch-live-previous
  "<escape>" #'abort-minibuffers
  "C-c C-o" #'cocosearch-live-export
  "M-l" #'cocosearch-live-toggle-language
  "M-k" #'cocosearch-live-toggle-kind
  "M-t" #'cocosearch-live-toggle-tests
  "M-f" #'cocosearch-live-toggle-folder)

(defun cocosearch-live-export ()
  "Close the list, and show the hits as a list of xref."
  (interactive)
  (throw 'cocosearch-export t))

(defun cocosearch--list-buffer ()
  "Return an empty buffer for the list."
  (with-current-buffer (get-buffer-create "*cocosearch*")
    (special-mode)
    (setq-local truncate-lines t cursor-type nil)
    (hl-line-mode 1)
    (let ((inhibit-read-only t)) (erase-buffer))
    (current-buffer)))

(defun cocosearch--read-question (live initial)
  "Read the question of LIVE, with the initial text INITIAL.
Return `export' where its answers are to be kept."
  (setf (cocosearch--live-question live) "")
  (catch 'done
    (when (catch 'cocosearch-export
            (minibuffer-with-setup-hook
                (lambda ()
                  (add-hook 'post-command-hook #'cocosearch--typed nil t)
                  (run-at-time 0 nil (lambda () (when (minibufferp) (cocosearch--typed)))))
              (read-from-minibuffer "Find: " initial cocosearch-live-map nil 'cocosearch-history
                                    (thing-at-point 'symbol t)))
            (throw 'done 'chosen))
      'export)))

(defun cocosearch--open-live (source initial)
  "Open the list of SOURCE with the question INITIAL."
  (let* ((configuration (current-window-configuration))
         (live (setq cocosearch--live
                     (make-cocosearch--live :source source :root (cocosearch--root)
                                            :origin (current-buffer) :buffer (cocosearch--list-buffer))))
         how)
    (unwind-protect
        (progn
          (display-buffer (cocosearch--live-buffer live)
                          '(display-buffer-at-bottom (window-height . 12) (dedicated . t)))
          (setq how (cocosearch--read-question live initial)))
      (when (cocosearch--live-timer live) (cancel-timer (cocosearch--live-timer live)))
      (when (cocosearch--live-cancel live) (funcall (cocosearch--live-cancel live)))
      (cocosearch--unmark)
      (set-window-configuration configuration)
      (when-let* ((preview (get-buffer " *cocosearch preview*"))) (kill-buffer preview)))
    (when-let* ((items (cocosearch--live-items live)))
      (if (eq how 'export)
          (funcall (cocosearch-source-export source) items (cocosearch--live-question live)
                   (cocosearch--live-root live))
        (funcall (cocosearch-source-choose source) (nth (cocosearch--live-row live) items))))))

;;;###autoload
(defun cocosearch-live (&optional initial)
  "Search code while typing, with the initial question INITIAL.
The region is the question where it is active.  RET goes to the chosen
answer, \\[keyboard-quit] leads back;
\\<cocosearch-live-map>\\[cocosearch-live-export] keeps the answers as a list."
  (interactive (list (and (use-region-p)
                          (buffer-substring-no-properties (region-beginning) (region-end)))))
  (cocosearch--open-live (cocosearch--code) initial))

;;;###autoload
(defun cocosearch-live-resume ()
  "Open the last list again, with its question."
  (interactive)
  (unless cocosearch--live (user-error "Cocosearch: no earlier question"))
  (cocosearch--open-live (cocosearch--live-source cocosearch--live)
                         (cocosearch--live-question cocosearch--live)))

;;;###autoload
(defun cocosearch-live-at-point ()
  "Find code with the region or the symbol at point as the question."
  (interactive)
  (cocosearch-live (if (use-region-p) (buffer-substring-no-properties (region-beginning) (region-end))
                     (thing-at-point 'symbol t))))

(provide 'cocosearch-live)
;;; cocosearch-live.el ends here
