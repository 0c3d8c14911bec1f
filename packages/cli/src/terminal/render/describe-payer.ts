import type { Payer } from "@stemma/core";

const PAYERS: Readonly<Record<Payer, string>> = {
	workspace: "the workspace pays",
	deployment: "the deployment pays",
	none: "free",
	external: "the remote agent pays",
};

/** Describes in words who pays. */
export const describePayer = (payer: Payer): string => PAYERS[payer];
