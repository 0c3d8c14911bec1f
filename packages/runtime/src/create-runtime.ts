import type { RuntimeAgent } from "@stemma/client";
import type { RunError } from "@stemma/core";
import { ConfigurationError, isStemmaError } from "@stemma/core/errors";
import { createTaskRegistry } from "./a2a/task-registry";
import { type AgentCatalog, toRuntimeAgent } from "./agents/catalog";
import { describeAgents } from "./agents/describe-agents";
import { openCatalog } from "./agents/live-catalog";
import { type AgentWorld, prepareWith } from "./agents/prepare-agent";
import { describeUnexpected } from "./describe-unexpected";
import { createA2aRoute } from "./http/a2a-route";
import { type AccessOptions, resolveAccess } from "./http/access";
import { createHandler } from "./http/create-handler";
import { createRunRoutes } from "./http/run-routes";
import { createStartRun } from "./http/start-run";
import { createIdempotentRuns } from "./runs/idempotency";
import { createRunRegistry } from "./runs/run-registry";

export interface RuntimeOptions extends AgentWorld, AccessOptions {
	/** The folder of agent files, which is watched; or what would be in them, by id. */
	readonly agents: string | Readonly<Record<string, unknown>>;
	/** One bad file at start is an error. Default: it is listed as invalid, and the others run. */
	readonly strict?: boolean | undefined;
	/** Gets what an operator should know, a line each. Default: standard error. */
	readonly log?: ((line: string) => void) | undefined;
}

/** A runtime without a port of its own. */
export interface Runtime {
	/** Answers one request of the HTTP API. */
	fetch(request: Request): Promise<Response>;
	/** The agent files as they are now. */
	agents(): readonly RuntimeAgent[];
	/** The agent files in one line, for a person. */
	describe(): string;
	/**
	 * Takes no new runs, lets those under way end, and cancels them when the time is over; each gets its last event.
	 *
	 * @param graceMs - default 10,000.
	 */
	close(graceMs?: number): Promise<void>;
}

const GRACE_MS = 10_000;

/**
 * Loads agent files and serves them as a web-standard handler. Without a token, only requests to and from a loopback
 * address are answered.
 *
 * @throws ConfigurationError when the folder cannot be read, for a bad token, and with `strict` for a bad file.
 */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
	const { agents, strict = false, log = writeLine } = options;
	const access = resolveAccess(options, process.env);
	const secret = access.kind === "token" ? access.token : undefined;
	const onUnexpected = (error: unknown, where: string): void => log(describeUnexpected(error, where, secret));
	const catalog = await openCatalog(agents, prepareWith(options), log);
	if (strict) demandValid(catalog.current(), catalog.stop);

	let isClosing = false;
	const registry = createRunRegistry((error) => toRunError(error, onUnexpected));
	const idempotentRuns = createIdempotentRuns();
	registry.onForget(idempotentRuns.forget);
	const startRun = createStartRun(registry, () => isClosing);
	const { current } = catalog;
	const runRoutes = createRunRoutes({ catalog: current, registry, idempotentRuns, startRun });
	const tasks = createTaskRegistry(registry);
	const a2a = createA2aRoute({ catalog: current, access, tasks, startRun, onUnexpected });
	return {
		fetch: createHandler({ catalog: current, access, runRoutes, a2a, onUnexpected }),
		agents: () => catalog.current().entries.map(toRuntimeAgent),
		describe: () => describeAgents(catalog.current().entries),
		async close(graceMs = GRACE_MS) {
			isClosing = true;
			catalog.stop();
			await registry.close(graceMs);
		},
	};
}

const writeLine = (line: string): void => void process.stderr.write(`${line}\n`);

function demandValid({ entries }: AgentCatalog, stop: () => void): void {
	const bad = entries.filter(({ issues }) => issues.length > 0);
	if (bad.length === 0) return;
	stop();
	throw new ConfigurationError(
		`${bad.length} of ${entries.length} agent files are not valid. ${describeAgents(bad)}`,
		{
			code: "agent_invalid",
			hint: "Correct them, or leave out --strict (option `strict`) to run the others.",
		},
	);
}

/** Why a run broke off half-way, in its last event. */
function toRunError(error: unknown, onUnexpected: (error: unknown, where: string) => void): RunError {
	if (isStemmaError(error)) {
		const { code, message, hint } = error;
		return { code, message, ...(hint === undefined ? {} : { hint }) };
	}
	onUnexpected(error, "a run");
	return { code: "internal_error", message: "The run broke off in the runtime; its log tells more." };
}
