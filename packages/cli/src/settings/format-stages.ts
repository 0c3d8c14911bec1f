import type { LlmStage } from "@stemma/client";
import { describePayer } from "../terminal/render/describe-payer";
import { sanitizeLine } from "../terminal/terminal";
import { formatNotedTable } from "../terminal/text/table";

const HEADER = ["STAGE", "WHO PAYS", "PROVIDER", "MODEL", "CREDENTIAL", "ADDRESS"];

/** A row a stage, and the reason below it. */
export const formatStages = (stages: readonly LlmStage[]): string =>
	formatNotedTable(
		[HEADER, ...stages.map(toCells)],
		stages.map(({ reason }) => sanitizeLine(reason)),
	);

const toCells = ({ stage, payer, provider, model, credential, base_url }: LlmStage): string[] =>
	[stage, describePayer(payer), provider, model, credential, base_url].map(sanitizeLine);
