(ns example.queue
  "A queue of jobs with priorities."
  (:require [clojure.string :as str]
            [clojure.set :refer [union]]))

(def ^:dynamic *limit* 100)

(defonce queue (atom (sorted-map)))

(defrecord Job [id priority run])

(defprotocol Runner
  "Something that runs jobs."
  (run-job [this job])
  (stop [this]))

(deftype ThreadRunner [pool]
  Runner
  (run-job [_ job] (.submit pool ^Runnable (:run job)))
  (stop [_] (.shutdown pool)))

(defn- valid?
  [{:keys [id priority]}]
  (and (some? id) (pos? priority)))

;; The lowest number goes first.
(defn enqueue
  "Adds a job, unless the queue is full."
  ([job] (enqueue job *limit*))
  ([job limit]
   (when-not (valid? job)
     (throw (ex-info "bad job" {:job job})))
   (if (< (count @queue) limit)
     (swap! queue assoc [(:priority job) (:id job)] job)
     (throw (ex-info "queue is full" {:limit limit})))))

(defn dequeue []
  (let [[k job] (first @queue)]
    (swap! queue dissoc k)
    job))

(defmacro with-limit [limit & body]
  `(binding [*limit* ~limit]
     ~@body))

(defmulti describe :kind)

(defmethod describe :email [job]
  (str/join " " ["email to" (:to job)]))

(comment
  (enqueue (->Job 1 5 #(println "run"))))
