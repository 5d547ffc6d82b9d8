/** Definitions of Objective-C: methods by their selectors, properties, functions that return pointers. */

import { expect, it } from "vitest";
import { createLanguages } from "../../../server/languages/languages.ts";

const languages = createLanguages();

async function check(text: string, expected: readonly string[]): Promise<void> {
  const found = await languages.withSyntax(text, "objc", ({ definitions }) =>
    definitions.map(
      ({ symbol: { type, name, lines } }) => `${type} ${name} ${lines.start + 1}-${lines.end + 1}`,
    ),
  );
  expect(found).toEqual(expected);
}

it("Functions that return pointers are found, with any spacing of the star", () =>
  check(
    `static NSString * escaped(NSString *text) {
  return text;
}
static inline NSString *boundary(NSString *text) {
  return text;
}
static const void * retained(const void *info) {
  return info;
}
FOUNDATION_EXPORT NSString * declared(NSString *text);
`,
    ["function escaped 1-3", "function boundary 4-6", "function retained 7-9"],
  ));

it("A method is named by its selector, or by the word before a single argument", () =>
  check(
    `@implementation Loader
- (void)session:(NSURLSession *)session
           task:(NSURLSessionTask *)task
didFinishWithError:(NSError *)error
{
  if (error) {
    [self fail:error];
  }
}
+ (void (^)(int))make:(void (^)(int a, id b))block with:(int)count { }
- (instancetype)initWithTask:(id)task {
}
- (void)load {
}
@end
`,
    [
      "class Loader 1-15",
      "method Loader.session:task:didFinishWithError: 2-9",
      "method Loader.make:with: 10-10",
      "method Loader.initWithTask 11-12",
      "method Loader.load 13-14",
    ],
  ));

it("Properties are found, each as a separate declaration", () =>
  check(
    `@interface Loader : NSObject <Loading>
@property (nonatomic, copy) NSString *title;
@property (readonly) NSDictionary <NSString *, id> *headers API_DEPRECATED(1);
@property (nonatomic, copy) void (^done)(NSError *error);
@property (assign, getter=isOn) BOOL on;
- (instancetype)initWithTask:(id)task;
@end
typedef void (^LoaderDone)(NSError *error);
typedef NS_ENUM(NSUInteger, LoaderMode) {
  LoaderModeFast,
};
`,
    [
      "class Loader 1-7",
      "method Loader.title 2-2",
      "method Loader.headers 3-3",
      "method Loader.done 4-4",
      "method Loader.on 5-5",
      "method Loader.initWithTask 6-6",
      "interface LoaderDone 8-8",
      "class LoaderMode 9-11",
    ],
  ));
