import type { CallOptions } from "@stemma/client";
import type { Behaviour } from "@stemma/simulators/hostile";
import type { Call } from "./calls";
import { catchError, type ServerFixture } from "./server-fixture";

/** How a call failed. */
export interface Failure {
	/** Its class. */
	readonly name: string;
	readonly code: unknown;
	/** How many requests it took. */
	readonly sent: number;
}

export interface Failures {
	readonly byCall: Readonly<Record<string, Failure>>;
	readonly errors: readonly (Error & Record<string, unknown>)[];
}

/** Makes all these calls at once to a server that behaves so; each has to fail, and no error may have a secret. */
export async function failCalls(
	{ server, client }: Pick<ServerFixture, "server" | "client">,
	behaviour: Behaviour,
	calls: Readonly<Record<string, Call>>,
	options: CallOptions = {},
): Promise<Failures> {
	for (const { route } of Object.values(calls)) server.setDefault(route, behaviour);
	const shared = client();
	const failed = await Promise.all(
		Object.entries(calls).map(async ([name, call]) => {
			const headers = { "x-call": name };
			const error = await catchError(call.start(shared, { ...options, headers }));
			const sent = server.requests.filter((request) => request.headers["x-call"] === name).length;
			return { name, error, failure: { name: error.name, code: error.code, sent } };
		}),
	);
	return {
		byCall: Object.fromEntries(failed.map(({ name, failure }) => [name, failure])),
		errors: failed.map(({ error }) => error),
	};
}

/** The same failure for all these calls. */
export const sameFailure = (
	calls: Readonly<Record<string, Call>>,
	failure: Failure,
): Record<string, Failure> => Object.fromEntries(Object.keys(calls).map((name) => [name, failure]));
