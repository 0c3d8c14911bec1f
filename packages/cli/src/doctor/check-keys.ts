import type { Configuration } from "@stemma/service";
import type { Environment } from "../connection/resolve-connection";
import { count } from "../terminal/text/count";
import { type MachineCheck, toError } from "./machine-check";

/** Checks encryption keys, and credentials of a client that are only half set. */
export function checkKeys({ keys }: Configuration["encryption"], environment: Environment): MachineCheck {
	const { STEMMA_CLIENT_ID: id, STEMMA_CLIENT_SECRET: secret } = environment;
	if (Boolean(id) !== Boolean(secret)) {
		const [given, missing] = id ? ["ID", "SECRET"] : ["SECRET", "ID"];
		return toError("keys", "half a credential", {
			code: "missing_credentials",
			message: `STEMMA_CLIENT_${given} is set, and STEMMA_CLIENT_${missing} is not.`,
			hint: "Set both, or neither to use those of a data folder.",
		});
	}
	// Nothing is wrong without: it is what a first start has.
	if (keys.length === 0)
		return {
			name: "keys",
			result: "no encryption key: workspaces cannot store credentials (stemma keys generate)",
		};
	return { name: "keys", result: count(keys.length, "encryption key") };
}
