import { randomBytes } from "node:crypto";
import type { DefaultReply } from "./behaviour.ts";

/** Temporary keys that a stand-in gave out, as all three services name their fields; STS alone names two otherwise. */
export interface IssuedKeys {
	readonly AccessKeyId: string;
	readonly SecretAccessKey: string;
	readonly Token: string;
	/** In ISO 8601, without milliseconds. */
	readonly Expiration: string;
}

/** When keys are given out, and for how long. */
export interface IssueOptions {
	/** In milliseconds since 1970. Default `Date.now`. */
	readonly now?: () => number;
	/** Default six hours. */
	readonly lifetimeMs?: number;
}

const HOURS_MS = 60 * 60 * 1000;

/** No two are the same. */
export function issueKeys(
	{ now = Date.now, lifetimeMs = 6 * HOURS_MS }: IssueOptions,
	{ fields }: DefaultReply,
): IssuedKeys {
	return {
		AccessKeyId: `ASIA${randomBytes(8).toString("hex").toUpperCase()}`,
		SecretAccessKey: randomBytes(30).toString("base64"),
		Token: randomBytes(90).toString("base64"),
		Expiration: new Date(now() + lifetimeMs).toISOString().replace(/\.\d+/, ""),
		...fields,
	};
}
