import { expect } from "vitest";
import type { TestResponse } from "./send-request";

/** What no answer may tell: stacks, SQL, and where files are. */
const INTERNALS =
	/\n\s+at |node:|\.[cm]?[jt]s:\d|SQLITE|SELECT |INSERT |UPDATE |DELETE FROM|\.sqlite|\/tmp\/|node_modules|\[object /;

/** The error of an answer, which must be exactly as docs/http-api.md says. */
export function readApiError(answer: TestResponse): {
	readonly code: string;
	readonly [field: string]: unknown;
} {
	expect(answer.headers.get("content-type")).toBe("application/json");
	const { error, ...shape } = answer.body as {
		readonly error: { readonly code: string; readonly message: string };
	};
	const isAnthropic = "type" in shape;
	expect(shape).toEqual(isAnthropic ? { type: "error", request_id: answer.headers.get("x-request-id") } : {});
	expect(error).toEqual({
		code: expect.stringMatching(/^[a-z]+(_[a-z]+)*$/),
		message: expect.stringMatching(/\S[.?]$/),
		request_id: answer.headers.get("x-request-id"),
		...toOptional(error, "type", expect.stringMatching(/^[a-z_]+_error$|^request_too_large$/)),
		...toOptional(error, "param", expect.any(String)),
		...toOptional(error, "hint", expect.any(String)),
		...toOptional(error, "details", expect.any(Object)),
	});
	expect(answer.text).not.toMatch(INTERNALS);
	return error;
}

const toOptional = (error: object, name: string, expected: unknown): object =>
	Object.hasOwn(error, name) ? { [name]: expected } : {};

/** An error with this status and one of these codes. */
export function expectApiError(answer: TestResponse, status: number, ...codes: readonly string[]): void {
	expect(answer, `${answer.status} ${answer.text.slice(0, 500)}`).toMatchObject({ status });
	expect(codes).toContain(readApiError(answer).code);
}
