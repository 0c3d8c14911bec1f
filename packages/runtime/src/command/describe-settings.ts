import type { RunLimits } from "@stemma/core";
import { GRACE_MS } from "../create-runtime";
import { DEFAULT_TIMEOUTS } from "../http/node/node-server";
import { MAX_RUNS } from "../http/routes/start-run";
import { DEFAULT_HOST, DEFAULT_PORT } from "../start-runtime";
import type { CommandSettings } from "./command-line";

const CREDENTIALS = ["STEMMA_CLIENT_ID", "STEMMA_CLIENT_SECRET", "STEMMA_RUNTIME_TOKEN"] as const;

const GRAPH_DEFAULT = "the graph's";
const GRAPH_LIMITS: Readonly<Record<keyof RunLimits, string>> = {
	timeoutMs: GRAPH_DEFAULT,
	maxSteps: GRAPH_DEFAULT,
	maxDepth: GRAPH_DEFAULT,
	maxTokens: GRAPH_DEFAULT,
};

/** Describes the settings that a runtime would start with, as JSON; secrets only by whether they are set. */
export function describeSettings(
	settings: CommandSettings,
	env: Readonly<Record<string, string | undefined>>,
): string {
	const {
		folder,
		port,
		host,
		trustedProxies,
		service,
		strict,
		allowAnonymous,
		graceMs,
		maxRuns,
		limits,
		timeouts,
	} = settings;
	const described = {
		folder,
		port: port ?? DEFAULT_PORT,
		host: host ?? DEFAULT_HOST,
		trustedProxies: trustedProxies ?? [],
		service: service ?? "not set",
		strict,
		allowAnonymous,
		graceMs: graceMs ?? GRACE_MS,
		maxRuns: maxRuns ?? MAX_RUNS,
		limits: { ...GRAPH_LIMITS, ...limits },
		timeouts: { ...DEFAULT_TIMEOUTS, ...timeouts },
		...Object.fromEntries(CREDENTIALS.map((name) => [name, env[name] ? "set" : "not set"])),
		toolSecrets: Object.keys(env)
			.filter((name) => name.startsWith("STEMMA_TOOL_") && env[name])
			.sort(),
	};
	return `${JSON.stringify(described, undefined, 2)}\n`;
}
