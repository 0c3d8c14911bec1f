import { type ClientServer, type ClientServerOptions, startClientServer } from "./client-server";
import { expectedOfClient } from "./scenarios/client-scenario.mjs";
import { expectedOfModels } from "./scenarios/models-scenario.mjs";
import { expected } from "./scenarios/scenario.mjs";
import { expectedWithFiles } from "./scenarios/server-scenario.mjs";
import { type RunningVendors, startVendors } from "./vendors";

/** All that the scenarios call: vendors and a service. */
export interface Backends {
	/** What a program is given, as JSON. */
	readonly settings: {
		readonly vendors: RunningVendors["vendors"];
		readonly client: ClientServer["options"];
	};
	readonly vendors: RunningVendors;
	close(): Promise<void>;
}

export async function startBackends(options?: ClientServerOptions): Promise<Backends> {
	const [vendors, service] = await Promise.all([startVendors(), startClientServer(options)]);
	return {
		settings: { vendors: vendors.vendors, client: service.options },
		vendors,
		async close() {
			await Promise.all([vendors.close(), service.close()]);
		},
	};
}

/** What going through the scenarios of all platforms must give. */
export const expectedOfAll = {
	engine: "function",
	graph: expected,
	models: expectedOfModels,
	client: expectedOfClient,
};

/** What a program must print that has files. */
export const expectedOfProgram = { ...expectedOfAll, server: expectedWithFiles };
