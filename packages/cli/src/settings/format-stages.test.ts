import { expect, it } from "vitest";
import { formatStages } from "./format-stages";

it("shows stages with their reasons", () => {
	const row = { provider: "bedrock", base_url: "https://b.example", model: "m", credential: "workspace" };
	expect(
		formatStages([
			{ ...row, stage: "answer", payer: "workspace", reason: "Its own key." },
			{
				...row,
				stage: "index",
				payer: "none",
				base_url: "",
				credential: "none",
				reason: "Words\u001b only.",
			},
		]),
	).toBe(`  STAGE   WHO PAYS            PROVIDER  MODEL  CREDENTIAL  ADDRESS
  answer  the workspace pays  bedrock   m      workspace   https://b.example
          Its own key.
  index   free                bedrock   m      none
          Words only.
`);
});
