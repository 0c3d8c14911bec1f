import {
	DummyDriver,
	Kysely,
	PostgresAdapter,
	PostgresIntrospector,
	PostgresQueryCompiler,
	sql,
} from "kysely";
import { describe, expect, it } from "vitest";
import { createOwnRowsPlugin, ownRows } from "./own-rows-plugin";

interface Tables {
	runs: { id: string; agent_id: string; state: string };
	agents: { id: string; name: string };
}

const database = new Kysely<Tables>({
	dialect: {
		createAdapter: () => new PostgresAdapter(),
		createDriver: () => new DummyDriver(),
		createIntrospector: (queries) => new PostgresIntrospector(queries),
		createQueryCompiler: () => new PostgresQueryCompiler(),
	},
	plugins: [createOwnRowsPlugin("ws_1")],
});

describe("the rows of a workspace", () => {
	it("are what a query selects, changes and deletes", () => {
		expect(database.selectFrom("runs").select("id").compile()).toMatchObject({
			sql: `select "id" from "runs" where "runs"."workspace" = $1`,
			parameters: ["ws_1"],
		});
		expect(
			database.updateTable("runs").set({ state: "done" }).where("id", "=", "run_1").compile(),
		).toMatchObject({
			sql: `update "runs" set "state" = $1 where ("id" = $2) and "runs"."workspace" = $3`,
			parameters: ["done", "run_1", "ws_1"],
		});
		expect(database.deleteFrom("runs").compile().sql).toBe(
			`delete from "runs" where "runs"."workspace" = $1`,
		);
	});

	it("are all that a condition with OR reaches, also one of raw SQL", () => {
		const query = database.selectFrom("runs").select("id").where(sql<boolean>`true or false`);
		expect(query.compile().sql).toBe(
			`select "id" from "runs" where (true or false) and "runs"."workspace" = $1`,
		);
	});

	it("are what joins, subqueries and unions read", () => {
		const query = database
			.selectFrom("runs as r")
			.leftJoin("agents", "agents.id", "r.agent_id")
			.select("r.id")
			.where("r.id", "in", (inner) => inner.selectFrom("runs").select("id"))
			.union((inner) => inner.selectFrom("agents").select("agents.id").$castTo<{ id: string }>());
		expect(query.compile().sql).toBe(
			`select "r"."id" from "runs" as "r" left join "agents" on ("agents"."id" = "r"."agent_id") and "agents"."workspace" = $1 where ("r"."id" in (select "id" from "runs" where "runs"."workspace" = $2)) and "r"."workspace" = $3 union select "agents"."id" from "agents" where "agents"."workspace" = $4`,
		);
	});

	it("are what tables of a cross join, USING and FROM show", () => {
		expect(database.selectFrom("runs").crossJoin("agents").select("runs.id").compile().sql).toBe(
			`select "runs"."id" from "runs" cross join "agents" where "runs"."workspace" = $1 and "agents"."workspace" = $2`,
		);
		expect(
			database.deleteFrom("runs").using("agents").whereRef("runs.agent_id", "=", "agents.id").compile().sql,
		).toBe(
			`delete from "runs" using "agents" where ("runs"."agent_id" = "agents"."id") and "runs"."workspace" = $1 and "agents"."workspace" = $2`,
		);
		expect(
			database
				.updateTable("runs")
				.from("agents")
				.set({ state: "done" })
				.whereRef("runs.agent_id", "=", "agents.id")
				.compile().sql,
		).toBe(
			`update "runs" set "state" = $1 from "agents" where ("runs"."agent_id" = "agents"."id") and "runs"."workspace" = $2 and "agents"."workspace" = $3`,
		);
	});

	it("are what a common table expression reads, which has no workspace of its own", () => {
		const query = database
			.with("recent", (inner) => inner.selectFrom("runs").select("id"))
			.selectFrom("recent")
			.select("id");
		expect(query.compile().sql).toBe(
			`with "recent" as (select "id" from "runs" where "runs"."workspace" = $1) select "id" from "recent"`,
		);
	});

	it("are what an insertion conflicts with", () => {
		const insert = database.insertInto("agents").values({ id: "ag_1", name: "desk" });
		expect(
			insert.onConflict((conflict) => conflict.column("id").doUpdateSet({ name: "desk" })).compile().sql,
		).toBe(
			`insert into "agents" ("id", "name") values ($1, $2) on conflict ("workspace", "id") do update set "name" = $3`,
		);
		expect(insert.onConflict((conflict) => conflict.doNothing()).compile().sql).toBe(
			`insert into "agents" ("id", "name") values ($1, $2) on conflict do nothing`,
		);
	});

	it("come back without the column that says whose they are", async () => {
		const plugin = createOwnRowsPlugin("ws_1");
		const { queryId } = database.selectFrom("runs").selectAll().compile();
		const rows = [{ workspace: "ws_1", id: "run_1" }];
		expect((await plugin.transformResult({ queryId, result: { rows } })).rows).toEqual([{ id: "run_1" }]);
	});

	it("are what a fragment of raw SQL leaves", () => {
		expect(sql`select id from runs as r where ${ownRows("r")}`.compile(database)).toMatchObject({
			sql: `select id from runs as r where "r"."workspace" = $1`,
			parameters: ["ws_1"],
		});
	});
});
