import { TEXT } from "./column-types";
import { WORKSPACE_COLUMN_SQL } from "./partitioned-table";

const GROUP = `
	day ${TEXT} not null,
	payer ${TEXT} not null,
	stage ${TEXT} not null,
	provider ${TEXT} not null,
	model ${TEXT} not null`;

const SUMS = `
	calls bigint not null,
	input_tokens bigint not null,
	output_tokens bigint not null,
	cached_tokens bigint not null,
	estimated_calls bigint not null`;

/** Tables of the sums of receipts, by day and by user, and of their costs. */
export const usageTablesSql = `
create table usage_days (
	${WORKSPACE_COLUMN_SQL},${GROUP},${SUMS},
	primary key (workspace, day, payer, stage, provider, model)
);
create table usage_user_days (
	${WORKSPACE_COLUMN_SQL},${GROUP},${SUMS},
	user_id ${TEXT} not null,
	primary key (workspace, day, user_id, payer, stage, provider, model)
);
create table usage_costs (
	${WORKSPACE_COLUMN_SQL},${GROUP},
	currency ${TEXT} not null,
	user_id ${TEXT} not null,
	calls bigint not null,
	nano_units bigint not null,
	primary key (workspace, day, payer, stage, provider, model, currency, user_id)
);
`;
