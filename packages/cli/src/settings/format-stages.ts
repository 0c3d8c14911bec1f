import type { LlmStage } from "@stemma/client";
import { describePayer } from "../terminal/describe-payer";
import { formatNotedTable } from "../terminal/table";
import { withoutControls } from "../terminal/terminal";

const HEADER = ["STAGE", "WHO PAYS", "PROVIDER", "MODEL", "CREDENTIAL", "ADDRESS"];

/** A row a stage, and the reason below it. */
export const formatStages = (stages: readonly LlmStage[]): string =>
	formatNotedTable(
		[HEADER, ...stages.map(toCells)],
		stages.map(({ reason }) => withoutControls(reason)),
	);

const toCells = ({ stage, payer, provider, model, credential, base_url }: LlmStage): string[] =>
	[stage, describePayer(payer), provider, model, credential, base_url].map(withoutControls);
