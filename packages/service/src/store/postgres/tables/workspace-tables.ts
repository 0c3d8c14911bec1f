import { identityTablesSql } from "./deployment/identity-tables";
import { knowledgeAreaSql, knowledgeVectorsSql } from "./knowledge/knowledge-area-tables";
import { runAreaSql } from "./run-area-tables";
import { vectorCountersSql } from "./storage-tables";

/** Tables of workspaces, in the order of their references. */
export const workspaceTablesSql = [identityTablesSql, knowledgeAreaSql, runAreaSql].join("\n");

/** Tables that need the extension `vector`; created once it is there. Each statement says `if not exists`. */
export const vectorTablesSql = knowledgeVectorsSql + vectorCountersSql;
