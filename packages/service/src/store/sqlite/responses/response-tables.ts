import type { JsonObject } from "@stemma/core";
import type { Generated, Selectable } from "kysely";
import type { ResponseOutcome } from "../../../responses/repositories/response-repository";
import type { ResponseItem } from "../../../responses/response-request";
import type { JsonColumn } from "../../json-column";

/** The responses that a workspace keeps. Times are epoch milliseconds. */
export interface ResponseTables {
	responses: {
		number: Generated<number>;
		id: string;
		owner: string;
		parent_id: string | null;
		background: 0 | 1;
		status: ResponseOutcome["status"];
		created_at: number;
		/** Bytes of the JSON of input and outcome. */
		bytes: number;
		head: JsonColumn<JsonObject>;
		input: JsonColumn<readonly ResponseItem[]>;
		outcome: JsonColumn<ResponseOutcome>;
	};
}

export type ResponseRow = Omit<Selectable<ResponseTables["responses"]>, "number">;

export const responseTablesSql = `
	CREATE TABLE responses (
		number INTEGER PRIMARY KEY,
		id TEXT NOT NULL UNIQUE,
		owner TEXT NOT NULL,
		parent_id TEXT,
		background INTEGER NOT NULL,
		status TEXT NOT NULL,
		created_at INTEGER NOT NULL,
		bytes INTEGER NOT NULL,
		head TEXT NOT NULL,
		input TEXT NOT NULL,
		outcome TEXT NOT NULL
	);
	CREATE INDEX responses_in_progress ON responses (number) WHERE status = 'in_progress';
	CREATE INDEX responses_by_time ON responses (created_at);
`;
