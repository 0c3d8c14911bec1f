import type { LlmStage } from "@stemma/client";
import { describePayer } from "../terminal/describe-payer";
import { formatNotedTable } from "../terminal/table";
import { toShownLine } from "../terminal/terminal";

const HEADER = ["STAGE", "WHO PAYS", "PROVIDER", "MODEL", "CREDENTIAL", "ADDRESS"];

/** A row a stage, and the reason below it. */
export const formatStages = (stages: readonly LlmStage[]): string =>
	formatNotedTable(
		[HEADER, ...stages.map(toCells)],
		stages.map(({ reason }) => toShownLine(reason)),
	);

const toCells = ({ stage, payer, provider, model, credential, base_url }: LlmStage): string[] =>
	[stage, describePayer(payer), provider, model, credential, base_url].map(toShownLine);
