import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { ANSWER_PROMPT } from "./answer";
import { REWRITE_PROMPT } from "./rewrite";
import { SCORE_PROMPT } from "./score";
import { TITLE_PROMPT } from "./title";

it("has another version for each text: raise it where you change one", () => {
	const versions = [ANSWER_PROMPT, REWRITE_PROMPT, SCORE_PROMPT, TITLE_PROMPT].map(
		({ name, version, text }) =>
			`${name} ${version} ${createHash("sha256").update(text).digest("hex").slice(0, 8)}`,
	);
	expect(versions).toMatchInlineSnapshot(`
		[
		  "answer 2 3ac65216",
		  "rewrite 1 e3eaff8c",
		  "score 1 810992a3",
		  "title 1 75c4030b",
		]
	`);
});
