import type { Feedback } from "../feedback";
import type { RunRecord } from "../run";
import type { Thread, ThreadMessage } from "../thread";
import type { Authorization } from "./authorization";
import type { Member, UserSession } from "./people";

/** Part of what a workspace has about a person: a line of the export. */
export type MemberData =
	| ({ readonly type: "profile" } & Member)
	| ({ readonly type: "session" } & UserSession)
	| ({ readonly type: "authorization" } & Authorization)
	| { readonly type: "thread"; readonly thread: Thread; readonly messages: readonly ThreadMessage[] }
	/** With input and context. */
	| ({ readonly type: "run" } & RunRecord)
	| ({ readonly type: "feedback" } & Feedback);
