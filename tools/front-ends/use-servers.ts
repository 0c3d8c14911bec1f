import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as built from "@stemma/service";
import type { Behaviour } from "@stemma/simulators/openai";
import { useRpcServer } from "@stemma/simulators/rpc";
import { afterAll, afterEach, beforeAll } from "vitest";
import { type FrontEndFixture, refundHandler, startFrontEndFixture } from "./fixture";

/** Tells whether the official clients are there: without the registry, their tests are skipped. */
export const isInstalled = existsSync(fileURLToPath(new URL("node_modules", import.meta.url)));

/** Both servers for the tests of a file, as long as they run. */
export interface Servers {
	readonly fixture: FrontEndFixture;
	/** Queues what the model does next. */
	enqueue(...behaviours: readonly Behaviour[]): void;
	/** Arguments that the tool was called with, in this test. */
	listCalls(): readonly unknown[];
}

export function useServers(): Servers {
	const toolServer = useRpcServer();
	let fixture: FrontEndFixture;
	beforeAll(async () => {
		if (!isInstalled) return;
		toolServer.handle(refundHandler);
		fixture = await startFrontEndFixture(built, toolServer.url);
	});
	afterAll(() => fixture?.close());
	afterEach(() => {
		toolServer.received.length = 0;
	});
	return {
		get fixture() {
			return fixture;
		},
		enqueue: (...behaviours) => fixture.service.vendor.enqueue(...behaviours),
		listCalls: () =>
			toolServer.received
				.filter(({ rpc }) => rpc.method === "tools/call")
				.map(({ rpc }) => rpc.params?.arguments),
	};
}
