import type { Fields, FieldType } from "./field-checks.ts";
import type { Rejection } from "./rejection.ts";

/** A score of the text at `index` of the request. */
export interface Rank {
	readonly index: number;
	readonly score: number;
}

export interface RerankResult {
	readonly model: string;
	readonly ranks: readonly Rank[];
	/** Undefined where none is told. */
	readonly tokens: number | undefined;
	readonly textCount: number;
}

export type Problem = Pick<Rejection, "status" | "message" | "type">;

/** One vendor's variant: what it takes, what it answers, and how it says no. */
export interface Vendor {
	/** Of the base URL. */
	readonly prefix: string;
	readonly textsField: "documents" | "texts";
	/** The number of wanted scores, where it can be asked for. */
	readonly limitField?: "top_n" | "top_k";
	readonly fields: Readonly<Record<string, FieldType>>;
	readonly required: readonly string[];
	/** Fields that are not known are passed over. */
	readonly ignoresUnknownFields?: boolean;
	/** What is done where a request may carry at most so many texts, and carries more. */
	readonly maxTexts: number;
	readonly missingKeyError: Problem;
	readonly invalidKeyError: Problem;
	readonly hasEmpty401?: boolean;
	toScore(probability: number): number;
	toResponse(result: RerankResult): object;
	toError(problem: Problem): object;
	unknownField(name: string): Problem;
	invalidField(name: string, type: FieldType, value: unknown): Problem;
	tooMany(count: number, max: number): Problem;
	unknownModel(model: string): Problem;
}

export type CheckedBody = Fields & { readonly query: string };
