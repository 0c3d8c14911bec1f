import type { Citation, ConversationMessage, Json } from "@stemma/core";
import type { Feedback } from "../feedback";
import type { RunRecord } from "../run";
import type { Thread, ThreadMessage } from "../thread";
import type { Authorization } from "./authorization";
import type { Passkey } from "./passkey";
import type { Member, UserSession } from "./people";

/** Part of what a workspace has about a person: a line of the export. */
export type MemberData =
	| ({ readonly type: "profile" } & Member)
	| ({ readonly type: "session" } & UserSession)
	| ({ readonly type: "passkey" } & Passkey)
	| ({ readonly type: "authorization" } & Authorization)
	| { readonly type: "thread"; readonly thread: Thread; readonly messages: readonly ThreadMessage[] }
	/** With input and context. */
	| ({ readonly type: "run" } & RunRecord)
	/** Answer to a question of `ask`, which is kept so that it can be rated. */
	| {
			readonly type: "answer";
			/** `ans_…` */
			readonly id: string;
			readonly created_at: string;
			readonly question: string;
			readonly history: readonly ConversationMessage[];
			readonly answer: Json;
			readonly citations: readonly Citation[];
	  }
	| ({ readonly type: "feedback" } & Feedback);
