import type { Fetch, Timeouts } from "@stemma/client";
import type { AgentPort } from "@stemma/engine";
import { createClientPool } from "../client-pool";
import { toDepthHeader } from "../depth-header";
import { resolveSecret, type SecretSource } from "../secrets/secret-source";
import { toServerError } from "../server-error";
import type { A2aAgent } from "./open-agent";

/** Options of an agent port over A2A agents, which are named by their addresses. */
export interface A2aAgentsOptions {
	readonly secret?: SecretSource | undefined;
	readonly fetch?: Fetch | undefined;
	readonly timeouts?: Partial<Timeouts> | undefined;
}

/** Agents that speak A2A, by their addresses. */
export interface A2aAgents {
	atDepth(depth: number | undefined): AgentPort;
	close(): void;
}

export function a2aAgents({ secret, fetch, timeouts }: A2aAgentsOptions): A2aAgents {
	const pool = createClientPool<A2aAgent>({
		async create(url, token) {
			const { openAgent } = await import("./open-agent");
			return openAgent({ url, token, fetch, timeouts });
		},
		close: () => undefined,
	});

	return {
		atDepth: (depth) => ({
			async run({ agent, secret: name, input }, options) {
				const { url } = agent as { readonly url: string };
				const token = await resolveSecret(secret, name, url);
				try {
					const headers = { ...toDepthHeader(depth), ...options.traceContext };
					return await pool.use(url, token, (one) => one.run(input, headers, options));
				} catch (error) {
					throw toServerError(error, { url, secret: name, source: secret });
				}
			},
		}),
		close: pool.close,
	};
}
