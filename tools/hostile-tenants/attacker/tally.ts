import type { Answer } from "./send-request.ts";

/** Counts what the requests of one attack were answered. */
export interface Tally {
	add(answer: Answer): void;
	/** What was seen on a raw connection, such as `closed`. */
	note(outcome: string): void;
	read(): TallyStats;
}

export interface TallyStats {
	/** By outcome: a status and the code of the error, such as `422 agent_invalid`. */
	readonly outcomes: Readonly<Record<string, number>>;
	/** Requests, and the slowest in milliseconds. */
	readonly count: number;
	readonly slowestMs: number;
	/** Samples of messages, one for each refusal. */
	readonly messages: Readonly<Record<string, string>>;
}

export function createTally(): Tally {
	const outcomes: Record<string, number> = {};
	const messages: Record<string, string> = {};
	let count = 0;
	let slowestMs = 0;
	const note = (outcome: string): void => {
		count += 1;
		outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
	};
	return {
		note,
		add(answer) {
			if (answer.isAborted === true) return;
			const outcome = toOutcome(answer);
			note(outcome);
			slowestMs = Math.max(slowestMs, Math.round(answer.ms));
			if (answer.status >= 400) messages[outcome] ??= answer.text.slice(0, 300);
		},
		read: () => ({ outcomes, count, slowestMs, messages }),
	};
}

/** Outcome of an answer: its status, the code of its error, and what the error lacks. */
export function toOutcome({ status, text, headers, broken }: Answer): string {
	if (broken !== undefined) return status === 0 ? `broken ${broken}` : `${status} broken ${broken}`;
	if (status < 400) return String(status);
	const code = readCode(text);
	const isLater = status === 429 || status === 503;
	return [
		status,
		code ?? (text === "" ? "(empty)" : "(no code)"),
		...(isLater && headers["retry-after"] === undefined ? ["(no retry-after)"] : []),
	].join(" ");
}

/** Code of an error of this API, of OAuth or of JSON-RPC. */
function readCode(text: string): string | undefined {
	try {
		const { error } = JSON.parse(text) as { error?: unknown };
		if (typeof error === "string") return error;
		const { code } = (error ?? {}) as { code?: unknown };
		return code === undefined ? undefined : String(code);
	} catch {
		return undefined;
	}
}

/** Whether an outcome is among those that an attack expects; `*` at the end stands for any rest. */
export function isExpected(outcome: string, expected: readonly string[]): boolean {
	if (outcome.includes("(no ")) return false;
	return [...ALWAYS_EXPECTED, ...expected].some((pattern) =>
		pattern.endsWith("*") ? outcome.startsWith(pattern.slice(0, -1)) : outcome === pattern,
	);
}

/**
 * Success, a tenant over its share, and a service short of room. The attacker has the lowest priority: on a busy machine it
 * sends so slowly that a request times out, and the connection is closed while it still sends.
 */
const ALWAYS_EXPECTED = [
	...["200", "201", "202", "204", "429 *", "503 storage_full", "503 too_many_bytes"],
	...["408 request_timeout", "broken EPIPE"],
];
