/** Swift: files of a module see each other, and extensions add members in any file. */

import { expect, it } from "vitest";
import { callsIn, checkCalls, graphOf } from "../support/graph.ts";

it("Properties, optionals, extensions, closures and enum cases resolve", () =>
  checkCalls(
    `//- App/Session.swift
import Foundation
class Session {
    let delegate: SessionDelegate
    lazy var monitor = Monitor()
    static let shared = Session()
    init(delegate: SessionDelegate) { self.delegate = delegate }
    func request(_ url: String, with options: Options?) -> DataRequest {
        let request = DataRequest(url: url)
        delegate.start(request)
        options?.check()
        if let task = monitor.find() { task.resume() }
        guard let other = monitor.find() else { return request }
        other.resume()
        other.map[url] = 1
        return request.validate().retry { 1 }.validate()
    }
}
extension Session: Runner {
    func run() { helper(); Session.shared.again(); request("", with: nil); State.idle.enter() }
}
func helper() {}
//- App/Request.swift
class Request {
    enum Kind { case data }
    func retry(_ done: () -> Int) -> Self { self }
    func didResume() {}
}
final class DataRequest: Request {
    init(url: String) { didResume() }
    func validate() -> DataRequest { super.didResume(); return self }
}
enum State { case idle, busy
    func enter() {} }
struct Task { func resume() {} }
class Monitor { func find() -> Task? { nil } }
protocol SessionDelegate { func start(_ request: Request) }
struct Options { func check() {} }
protocol Runner { func run() }
extension Runner { func again() { run() } }
`,
    [
      "App/Request.swift:7 didResume -> App/Request.swift Request.didResume (inherited)",
      "App/Request.swift:8 didResume -> App/Request.swift Request.didResume (inherited)",
      "App/Request.swift:17 run -> App/Request.swift Runner.run (own method)",
      "App/Session.swift:4 Monitor -> App/Request.swift Monitor (same package)",
      "App/Session.swift:5 Session -> App/Session.swift Session (same file)",
      "App/Session.swift:8 DataRequest -> App/Request.swift DataRequest (same package)",
      "App/Session.swift:9 start -> App/Request.swift SessionDelegate.start (typed receiver)",
      "App/Session.swift:10 check -> App/Request.swift Options.check (typed receiver)",
      "App/Session.swift:11 find -> App/Request.swift Monitor.find (typed receiver)",
      "App/Session.swift:11 resume -> App/Request.swift Task.resume (typed receiver)",
      "App/Session.swift:12 find -> App/Request.swift Monitor.find (typed receiver)",
      "App/Session.swift:13 resume -> App/Request.swift Task.resume (typed receiver)",
      "App/Session.swift:15 validate -> App/Request.swift DataRequest.validate (typed receiver)",
      "App/Session.swift:15 retry -> App/Request.swift Request.retry (typed receiver)",
      "App/Session.swift:15 validate -> App/Request.swift DataRequest.validate (typed receiver)",
      "App/Session.swift:19 helper -> App/Session.swift helper (same file)",
      "App/Session.swift:19 again -> App/Request.swift Runner.again (typed receiver)",
      "App/Session.swift:19 request -> App/Session.swift Session.request (own method)",
      "App/Session.swift:19 enter -> App/Request.swift State.enter (typed receiver)",
    ],
  ));

it("An extended external type stays external", async () => {
  const graph = await graphOf(`//- a.swift
extension String { func cut() -> String { self } }
func run() { String(1) }
`);
  expect(callsIn(graph)).toEqual([]);
});

it("Members of extensions in other files resolve, and see the extended type", () =>
  checkCalls(
    `//- Request.swift
class Request { func start() {} }
class Session { func open() -> Request { Request() } }
//- Validation.swift
extension Request {
    func validate() -> Request { start(); return self }
}
extension Session {
    static func make() -> Session { Session() }
}
func run(session: Session) {
    session.open().validate()
}
`,
    [
      "Request.swift:2 Request -> Request.swift Request (same file)",
      "Validation.swift:2 start -> Request.swift Request.start (own method)",
      "Validation.swift:5 Session -> Request.swift Session (same package)",
      "Validation.swift:8 validate -> Validation.swift Request.validate (typed receiver)",
      "Validation.swift:8 open -> Request.swift Session.open (typed receiver)",
    ],
  ));

it("A method that returns `Self` has the type of its receiver, and values are not called", () =>
  checkCalls(
    `//- a.swift
class Request {
    var response: Answer?
    var done: (Answer) -> Void
    func redirect() -> Self { self }
    func send(_ one: Int) {}
    func run() {
        response(1)
        done(2)
        send(other: 1)
    }
}
class DataRequest: Request {
    @available(*, deprecated, message: "no")
    func response(to one: Int? = nil) {}
    func response(to one: Int? = nil, more: Int? = nil) {}
    func send(data: Int) {}
}
extension DataRequest {
    func again() {
        send(1)
        send(data: 1)
    }
}
extension String { init(of data: Int) { self.init(other: data) } }
struct Answer {}
func go(one: DataRequest) {
    one.redirect().response(to: 1)
}
`,
    [
      "a.swift:8 done -> a.swift Request.done (own method)",
      "a.swift:20 send -> a.swift Request.send (own method)",
      "a.swift:21 send -> a.swift DataRequest.send (own method)",
      "a.swift:27 response -> a.swift DataRequest.response (typed receiver)",
      "a.swift:27 redirect -> a.swift Request.redirect (typed receiver)",
    ],
  ));

it("A call after an operator resolves", () =>
  checkCalls(
    `//- a.swift
enum Pool {
    static func size(of key: String) -> Int { 1 }
}
func count(_ a: Int) -> Int { a }
func run(a: Int) -> Int {
    let b = count(a + 1) - Pool.size(of: "a + \\"b")
    return (a * Pool.size(of: "c")) + a + count(b)
}
`,
    [
      "a.swift:6 size -> a.swift Pool.size (member of a type)",
      "a.swift:6 count -> a.swift count (same file)",
      "a.swift:7 count -> a.swift count (same file)",
      "a.swift:7 size -> a.swift Pool.size (member of a type)",
    ],
  ));
