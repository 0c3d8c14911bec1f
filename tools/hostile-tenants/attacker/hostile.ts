import { Agent } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Random } from "../../durability/random.ts";
import type { Pacer } from "./pacer.ts";
import { type Answer, type RequestOptions, sendRequest } from "./send-request.ts";
import type { Tally } from "./tally.ts";

/** Loopback address that all attacks come from, so that they are not the honest caller's. */
export const HOSTILE_ADDRESS = "127.0.0.2";

/** Facts that all attacks of the hostile tenant share. */
export interface HostileTenant {
	/** Of the service, without a slash at its end. */
	readonly url: string;
	/** Access token of this moment: the tenant's own flood of tokens deletes its oldest ones. */
	readonly token: () => string;
	readonly clientId: string;
	readonly clientSecret: string;
	readonly clientKey: string;
	/** Its knowledge base with a few documents, and one of the built-in model. */
	readonly knowledgeBase: string;
	/** Origin of its own model endpoint, MCP servers and A2A agents. */
	readonly endpoints: string;
	readonly random: Random;
	/** Of all attacks together. */
	readonly pacer: Pacer;
	/** Aborted when the attacks end. */
	readonly signal: AbortSignal;
}

/** Hostile tenant during one attack: what it sends is counted under the attack's name. */
export interface Hostile extends HostileTenant {
	/** Sends a request and counts its outcome. JSON bodies are objects; other bodies text or bytes. */
	send(method: string, path: string, body?: Body, options?: SendOptions): Promise<Answer>;
	/** Sends JSON and reads JSON; an empty object where there was none. */
	sendJson(method: string, path: string, body?: Body, options?: SendOptions): Promise<Fields>;
	readonly tally: Tally;
	/** Resolves after a while, or when the attacks end. */
	pause(ms: number): Promise<void>;
}

export interface SendOptions extends Omit<RequestOptions, "method" | "body"> {
	/** Without the access token. */
	readonly isAnonymous?: boolean;
}

/** JSON as an object; anything else as it is. */
export type Body = object | string | Uint8Array;

/** Fields of a JSON object that was read; nothing is known of them. */
export interface Fields {
	readonly [name: string]: unknown;
}

export function toHostile(tenant: HostileTenant, tally: Tally): Hostile {
	const agent = new Agent({ keepAlive: true, maxSockets: 64 });
	tenant.signal.addEventListener("abort", () => agent.destroy());
	const hostile: Hostile = {
		...tenant,
		tally,
		async send(method, path, body, { isAnonymous = false, headers = {}, ...options } = {}) {
			await tenant.pacer.acquire();
			const answer = await sendRequest(`${tenant.url}${path}`, {
				method,
				agent,
				localAddress: HOSTILE_ADDRESS,
				signal: tenant.signal,
				timeoutMs: 130_000,
				...options,
				headers: {
					...(isAnonymous ? {} : { authorization: `Bearer ${tenant.token()}` }),
					...(isJson(body) ? { "content-type": "application/json" } : {}),
					...headers,
				},
				...(body === undefined ? {} : { body: toBytes(body) }),
			});
			tally.add(answer);
			return answer;
		},
		sendJson: async (method, path, body, options) =>
			readFields((await hostile.send(method, path, body, options)).text),
		pause: (ms) => wait(ms, undefined, { signal: tenant.signal }).catch(() => undefined),
	};
	return hostile;
}

const isJson = (body: Body | undefined): boolean => typeof body === "object" && !(body instanceof Uint8Array);

const toBytes = (body: Body): string | Uint8Array =>
	typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);

export function readFields(text: string): Fields {
	try {
		return (JSON.parse(text) ?? {}) as Fields;
	} catch {
		return {};
	}
}
