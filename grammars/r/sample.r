# Survival of patients by group.

library(stats)

MAX_ITERATIONS <- 100

#' Mean without what lies far outside.
#'
#' @param x A numeric vector.
#' @param trim The share to leave out at each end.
trimmed_mean <- function(x, trim = 0.1) {
  if (length(x) == 0) {
    return(NA_real_)
  }
  sorted <- sort(x)
  drop <- floor(length(x) * trim)
  mean(sorted[(drop + 1):(length(x) - drop)])
}

fit_model = function(data, formula = time ~ group) {
  model <- NULL
  for (i in seq_len(MAX_ITERATIONS)) {
    model <- lm(formula, data = data)
    if (summary(model)$r.squared > 0.9) break
  }
  model
}

Patient <- R6::R6Class("Patient",
  public = list(
    name = NULL,
    initialize = function(name) {
      self$name <- name
    },
    greet = function() {
      cat("Hello,", self$name, "\n")
    }
  )
)

setClass("Trial", representation(name = "character", patients = "list"))

setGeneric("enrol", function(trial, patient) standardGeneric("enrol"))

setMethod("enrol", "Trial", function(trial, patient) {
  trial@patients <- c(trial@patients, patient)
  trial
})

#' @export
print.trial <- function(x, ...) {
  cat("Trial", x@name, "with", length(x@patients), "patients\n")
  invisible(x)
}

`%+%` <- function(left, right) paste0(left, right)

square <- \(x) x^2
