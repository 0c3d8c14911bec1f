import type { PushSourceSettings } from "@stemma/client";
import type { Connector } from "./connector";

/** Connector of files that a program outside pushes: a sync finds all as they are, and removes nothing. */
export const pushConnector: Connector<PushSourceSettings> = {
	async *scan(_, { markAllUnchanged }) {
		await markAllUnchanged();
		yield* [];
	},
};
