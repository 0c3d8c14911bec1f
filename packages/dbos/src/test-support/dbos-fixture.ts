import { DBOS } from "@dbos-inc/dbos-sdk";
import type { RunEvent } from "@stemma/core";
import { defineAgent } from "@stemma/core";
import { checkRun } from "@stemma/engine/test-support/check-run";
import { type RunScripted, scriptedPorts } from "@stemma/engine/test-support/scripted";
import {
	findPostgres,
	type PostgresServer,
	startPostgresServer,
} from "@stemma/simulators/postgres/postgres-server";
import { expect } from "vitest";
import { createDurableAgent, type DurableAgent, type DurableAgentOptions } from "../durable-agent";

/** Programs of Postgres, where they are installed. */
export const postgresPrograms = findPostgres();

/** Why tests that need Postgres are skipped where it is missing. */
export const SKIPPED = "needs Postgres 15, or its programs in POSTGRES_BIN";

/** DBOS over a Postgres of its own. */
export interface DbosFixture {
	/** Launches DBOS with one agent; what was launched before is shut down. */
	launch(options: DurableAgentOptions): Promise<DurableAgent>;
	/** Shuts DBOS down, as the end of a process does: runs are not waited for. */
	shutdown(): Promise<void>;
	/** Runs a graph over scripted ports. */
	readonly run: RunScripted;
	close(): Promise<void>;
}

export async function createDbosFixture(): Promise<DbosFixture> {
	if (postgresPrograms === undefined) throw new Error(SKIPPED);
	const server: PostgresServer = await startPostgresServer(postgresPrograms);
	const shutdown = (): Promise<void> => DBOS.shutdown({ deregister: true });
	const launch = async (options: DurableAgentOptions): Promise<DurableAgent> => {
		await shutdown();
		const agent = createDurableAgent(options);
		DBOS.setConfig({
			name: "stemma-test",
			systemDatabaseUrl: server.toUrl("postgres", "durable"),
			applicationVersion: "test",
			logLevel: "error",
		});
		await DBOS.launch();
		return agent;
	};
	return {
		launch,
		shutdown,
		async run(graph, options) {
			const { ports, requests } = scriptedPorts(options);
			const { limits = {}, maxConcurrentCalls, input = "hello", context, untrustedContext } = options;
			const agent = await launch({
				name: "scripted",
				graph: defineAgent(graph),
				ports,
				limits,
				...(maxConcurrentCalls === undefined ? {} : { maxConcurrentCalls }),
			});
			const events: RunEvent[] = [];
			const run = await agent.start({
				input,
				onEvent: (event) => events.push(event),
				...(context === undefined ? {} : { context }),
				...(untrustedContext === undefined ? {} : { untrustedContext }),
			});
			const result = await run.result();
			const last = events.at(-1);
			if (last === undefined || !("result" in last)) throw new Error("The run has no end.");
			// DBOS gives a copy.
			expect(result).toEqual(last.result);
			checkRun(events, last.result);
			return { result, events, requests };
		},
		async close() {
			await shutdown();
			await server.stop();
		},
	};
}
