package org.example.build

import groovy.transform.CompileStatic

/** Where a step can stand. */
enum StepState { WAITING, RUNNING, DONE }

interface Step {
    String getName()
    void run(Map<String, String> environment)
}

/**
 * Runs steps one after the other.
 */
@CompileStatic
class Pipeline {
    private final List<Step> steps = []
    String label = 'pipeline'

    Pipeline(String label) {
        this.label = label
    }

    /** Adds a step to the end. */
    Pipeline step(Step step) {
        steps << step
        return this
    }

    def run(Map<String, String> environment = [:]) {
        steps.each { Step step ->
            println "running ${step.name}"
            step.run(environment)
        }
    }

    static Pipeline standard() {
        new Pipeline('standard')
    }
}

def findStep(Pipeline pipeline, String name) {
    pipeline.steps.find { it.name == name }
}

task hello {
    doLast {
        println 'hello'
    }
}
