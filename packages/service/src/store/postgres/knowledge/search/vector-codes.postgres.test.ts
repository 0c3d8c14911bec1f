import { type RawBuilder, sql } from "kysely";
import { expect, it } from "vitest";
import { createId } from "../../../../create-id";
import { createHashedEmbedder } from "../../../../knowledge/test-support/hashed-embedder";
import { inProcessReader, startKnowledge } from "../../../../knowledge/test-support/memory-knowledge";
import { openPostgresSession } from "../../connection/postgres-pool";
import { migratePostgres } from "../../migrate-postgres";
import { describeOnPostgres } from "../../test-support/describe-on-postgres";
import { APPLICATION, OWNER } from "../../test-support/test-server";

const DIMENSIONS = 64;

/** Takes the database back to a version without codes. */
const DOWNGRADE = `
set search_path = stemma, public;
drop table passage_codes, passage_codes_2;
drop function keep_passage_codes() cascade;
drop function keep_passage_codes_2() cascade;
`;

interface Code {
	readonly number: number;
	readonly code: string;
}

const CODES = sql<Code>`select number, code::text from passage_codes order by number`;
const VECTOR_CODES = sql<Code>`select number, binary_quantize(vector)::text as code from passage_vectors order by number`;

describeOnPostgres(
	"codes of vectors",
	(database) => {
		async function open() {
			const id = createId("ws");
			const opened = database.openWorkspace(id);
			const knowledge = await startKnowledge(opened, inProcessReader, {
				embedder: createHashedEmbedder(DIMENSIONS),
			});
			const { id: base } = await knowledge.createKnowledgeBase({ name: "Notes" });
			const add = async (contents: readonly string[]) => {
				await knowledge.addDocuments(
					base,
					contents.map((content) => ({ content, format: "text" as const })),
				);
				await knowledge.waitUntilIdle();
			};
			const read = async <Row>(query: RawBuilder<Row>) => (await query.execute(opened.read)).rows;
			return { id, opened, knowledge, base, add, read };
		}

		it("are those of the vectors, which are added, changed and deleted", async () => {
			const { opened, knowledge, base, add, read } = await open();
			await add(["Refunds take a week.", "The office opens at nine.", "Wheels of a car."]);
			const codes = await read(CODES);
			expect(codes).toHaveLength(3);
			expect(codes).toEqual(await read(VECTOR_CODES));
			await sql`update passage_vectors set vector = (select vector from passage_vectors order by number limit 1)`.execute(
				opened.write,
			);
			const changed = await read(CODES);
			expect(new Set(changed.map(({ code }) => code)).size).toBe(1);
			expect(changed).toEqual(await read(VECTOR_CODES));
			for (const { id } of await knowledge.listDocuments(base, { limit: 10 }))
				await knowledge.deleteDocument(base, id);
			await knowledge.waitUntilIdle();
			expect(await read(CODES)).toEqual([]);
		});

		it("are made of the vectors that an earlier version has stored", async () => {
			const { id, add, read } = await open();
			await add(["Refunds take a week.", "The office opens at nine."]);
			const owner = await openPostgresSession(database.toUrl(OWNER));
			await owner.query(DOWNGRADE);
			await owner.query(
				`insert into stemma_deployment.workspaces (id, name, created_at) values ('${id}', 'Codes', 0)`,
			);
			await migratePostgres(owner, APPLICATION);
			await owner.close();
			const codes = await read(CODES);
			expect(codes).toHaveLength(2);
			expect(codes).toEqual(await read(VECTOR_CODES));
		});
	},
	{ needsVectors: true },
);
