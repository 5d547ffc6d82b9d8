#import "Downloader.h"
#import <Foundation/Foundation.h>

static NSString *const kDownloaderErrorDomain = @"Downloader";

typedef void (^DownloadCompletion)(NSData *data, NSError *error);

@protocol DownloaderDelegate <NSObject>
- (void)downloader:(id)downloader didFinish:(NSData *)data;
@end

@interface Downloader ()
@property (nonatomic, strong) NSURLSession *session;
@property (nonatomic, weak) id<DownloaderDelegate> delegate;
@end

/// Downloads files, each only once.
@implementation Downloader

+ (instancetype)sharedDownloader {
    static Downloader *shared;
    static dispatch_once_t token;
    dispatch_once(&token, ^{
        shared = [[Downloader alloc] init];
    });
    return shared;
}

- (instancetype)init {
    if ((self = [super init])) {
        _session = [NSURLSession sharedSession];
    }
    return self;
}

/// Asks for a file, and calls back on the main queue.
- (void)download:(NSURL *)url completion:(DownloadCompletion)completion {
    [[self.session dataTaskWithURL:url
                 completionHandler:^(NSData *data, NSURLResponse *response, NSError *error) {
        dispatch_async(dispatch_get_main_queue(), ^{
            completion(data, error);
        });
    }] resume];
}

@end

static NSString *FileNameOf(NSURL *url) {
    return url.lastPathComponent ?: @"index.html";
}
