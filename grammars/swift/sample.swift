import Foundation

/// Where downloads come from.
protocol ImageSource {
    associatedtype Failure: Error
    func load(_ url: URL) async throws -> Data
}

typealias Completion = (Result<Data, Error>) -> Void

enum DownloadError: Error {
    case offline
    case status(Int)

    var isRetryable: Bool {
        switch self {
        case .offline: return true
        case .status(let code): return code >= 500
        }
    }
}

/// Downloads images, each only once.
@MainActor
public final class ImageDownloader: ImageSource {
    typealias Failure = DownloadError

    private let session: URLSession
    private var running: [URL: Task<Data, Error>] = [:]

    public init(session: URLSession = .shared) {
        self.session = session
    }

    deinit {
        running.values.forEach { $0.cancel() }
    }

    /// Loads an image, or waits for the download that runs already.
    public func load(_ url: URL) async throws -> Data {
        if let task = running[url] {
            return try await task.value
        }
        let task = Task { try await fetch(url) }
        running[url] = task
        defer { running[url] = nil }
        return try await task.value
    }

    private func fetch(_ url: URL) async throws -> Data {
        let (data, response) = try await session.data(from: url)
        guard let http = response as? HTTPURLResponse, http.statusCode == 200 else {
            throw DownloadError.offline
        }
        return data
    }

    subscript(url: URL) -> Bool {
        running[url] != nil
    }

    struct Options {
        var retries = 3

        static func patient() -> Options {
            Options(retries: 10)
        }
    }
}

extension ImageDownloader {
    /// Stops everything.
    func cancelAll() {
        running.removeAll()
    }
}

actor Counter {
    private var value = 0

    func increment() -> Int {
        value += 1
        return value
    }
}

func makeDownloader() -> ImageDownloader {
    ImageDownloader()
}
