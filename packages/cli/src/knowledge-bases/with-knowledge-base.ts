import type { Knowledge } from "@stemma/client";
import { withHints } from "../connection/with-hints";
import { type ServiceCommandOptions, withService } from "../connection/with-service";
import { resolveKnowledgeBases } from "./resolve-knowledge-base";

/** Options of a command about one knowledge base. */
export interface KnowledgeBaseCommandOptions extends ServiceCommandOptions {
	/** Id, slug or name of the knowledge base. */
	readonly kb: string;
}

const KNOWLEDGE_BASE_HINTS = { knowledge_base_not_found: '"stemma kb list" lists them.' };

/** Runs work with the knowledge base that a command names. @param hints - what to do, by code of the service's error. */
export const withKnowledgeBase = <Result>(
	options: KnowledgeBaseCommandOptions,
	hints: Readonly<Record<string, string>>,
	work: (knowledge: Knowledge, knowledgeBaseId: string) => Promise<Result>,
): Promise<Result> =>
	withService(options, ({ knowledge }) =>
		withHints({ ...KNOWLEDGE_BASE_HINTS, ...hints }, async () => {
			const [id = ""] = await resolveKnowledgeBases(knowledge, [options.kb]);
			return work(knowledge, id);
		}),
	);
