/** The first stage: extracts the intent and the names of a message, and decides whether a code search helps to answer it. */

import type { ContextSignal, Intent } from "../contracts/context-request.ts";
import {
  confidenceOf,
  isShortReply,
  type MessageMentions,
  MIN_CONFIDENCE,
  messageMentions,
  type Recent,
  signalsOf,
} from "./signals.ts";

export interface MessageAnalysis extends MessageMentions {
  readonly intent: Intent;
  readonly signals: readonly ContextSignal[];
  readonly confidence: number;
  readonly isWorthwhile: boolean;
  /** The search query: the message, plus the terms of earlier messages if the message is a short reply. */
  readonly query: string;
  /** Files that a short reply is about, if any. */
  readonly files: readonly string[];
}

const HISTORY =
  /\b(?:when was|who (?:wrote|added|changed|introduced)|last (?:commit|change)|git (?:log|blame)|history of|done (?:this )?before|has (?:this|it) been|previously|regress(?:ed|ion)|since (?:version|v\d)|introduced in|which commit)\b/i;
const IMPACT =
  /\b(?:who calls|what calls|callers? of|usages? of|what (?:breaks|depends on|uses)|who uses|where is .{1,60} (?:used|called)|impact of|affected by|depend(?:s|ents?) on|safe to (?:remove|delete|rename|change)|if i (?:remove|delete|rename|change))\b/i;
const WHERE =
  /\bwhere\b|\bwhich (?:file|module|class|function)\b|\bfind\b|\blocate\b|\bwo (?:ist|wird|werden|sind)\b|\bo[ùu] (?:est|sont)\b|\bd[óo]nde\b|\bonde\b|где|哪里|哪儿|どこ|어디/iu;

/** The rest of a long message, and of a long line in it, is data; it is searched and not analyzed. */
const MAX_ANALYZED_LENGTH = 20_000;
const MAX_ANALYZED_LINE_LENGTH = 1_000;

/** A message is about one name when hardly anything else is in it. */
const MAX_WORDS_AROUND_A_NAME = 4;

export function analyzeMessage(whole: string, recent: Recent): MessageAnalysis {
  const message = sampleOf(whole);
  const mentions = messageMentions(message);
  const signals = signalsOf(message, mentions, recent);
  const confidence = confidenceOf(signals);
  const isReply =
    isShortReply(message) && mentions.identifiers.length + mentions.paths.length === 0;
  const terms = isReply ? (recent.recentTerms ?? []) : [];
  return {
    ...mentions,
    intent: intentOf(message, mentions, signals),
    signals,
    confidence,
    isWorthwhile: confidence >= MIN_CONFIDENCE,
    query: [whole, ...terms].join(" ").trim(),
    files: isReply ? (recent.recentFiles ?? []) : [],
  };
}

function sampleOf(message: string): string {
  const lines = message.slice(0, MAX_ANALYZED_LENGTH).split("\n");
  return lines.map((line) => line.slice(0, MAX_ANALYZED_LINE_LENGTH)).join("\n");
}

function intentOf(
  message: string,
  { identifiers }: MessageMentions,
  signals: readonly ContextSignal[],
): Intent {
  const has = (name: string) => signals.some((signal) => signal.name === name);
  if (has("stackTrace")) return "error";
  if (HISTORY.test(message)) return "history";
  if (IMPACT.test(message)) return "impact";
  if (has("error")) return "error";
  const words = (message.match(/[\p{L}\p{N}_.]+/gu) ?? []).length;
  if (/^[\w.:#$]+$/.test(message.trim())) return "symbol";
  if (identifiers.length > 0 && words <= MAX_WORDS_AROUND_A_NAME) return "symbol";
  if (WHERE.test(message)) return "where";
  return "how";
}
