import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type A2aClient, type A2aConnection, createA2aClient } from "@stemma/client/a2a";
import { createMcpClient, type McpClient, type McpClientOptions } from "@stemma/client/mcp";
import type { HostileRpcServer } from "@stemma/simulators/hostile";
import { afterEach, beforeEach, expect } from "vitest";
import { CANARY } from "./credentials";
import { findSecrets } from "./find-secrets";
import { watchProcess } from "./server-fixture";
import { countTimers, waitUntilReleased } from "./wait-until-released";

export const TOKEN = `${CANARY}_token`;

/** A hostile server for each test of a file. */
export interface RpcFixture {
	readonly server: HostileRpcServer;
	/** What the clients have logged. */
	readonly logged: readonly string[];
	/** Clients that do not wait before they try again. */
	mcp(options?: Partial<McpClientOptions>): McpClient;
	agent(options?: Partial<A2aConnection>): A2aClient;
}

/**
 * After each test no answer is left open, no timer is left, and no secret was logged; after the file there was no warning
 * and no rejection that nobody heard.
 */
export function useRpcFixture(): (server: HostileRpcServer) => RpcFixture {
	watchProcess();
	const servers: HostileRpcServer[] = [];
	const logged: string[] = [];
	let timersBefore = 0;
	beforeEach(() => {
		timersBefore = countTimers();
	});
	afterEach(async () => {
		const last = servers.splice(0);
		try {
			for (const server of last) await waitUntilReleased(server, timersBefore);
		} finally {
			await Promise.all(last.map((server) => server.close()));
		}
		expect(findSecrets(logged.splice(0))).toEqual([]);
	});
	const logger = {
		debug: (line: string) => void logged.push(line),
		warn: (line: string) => void logged.push(line),
	};
	const common = { token: TOKEN, retryDelayMs: 1, logger };
	return (server) => {
		servers.push(server);
		return {
			server,
			logged,
			mcp: (options) => createMcpClient({ url: `${server.origin}/mcp`, ...common, ...options }),
			agent: (options) => createA2aClient({ url: server.origin, ...common, ...options }),
		};
	};
}

const usedMegabytes = (): number => {
	const { heapUsed, external } = process.memoryUsage();
	return (heapUsed + external) / 2 ** 20;
};

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** What is held, without what is garbage, in megabytes. */
export function readHeapMegabytes(): number {
	collectGarbage();
	return usedMegabytes();
}

/** How much more memory than before was used while some work went on, garbage included, in megabytes. */
export async function measureMemory(work: () => Promise<unknown>): Promise<number> {
	const before = readHeapMegabytes();
	let max = before;
	const timer = setInterval(() => {
		max = Math.max(max, usedMegabytes());
	}, 2);
	try {
		await work();
	} finally {
		clearInterval(timer);
	}
	return Math.max(max, usedMegabytes()) - before;
}

/** JSON that is nested so deep. */
export const nest = (depth: number, key = "properties"): string =>
	`${`{"${key}":`.repeat(depth)}{}${"}".repeat(depth)}`;
