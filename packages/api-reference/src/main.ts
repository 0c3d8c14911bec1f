// Before the reference, which uses them.
import "./page-storage";
import { createApiReference } from "@scalar/api-reference";
import "@scalar/api-reference/style.css";
import "./page.css";
import { toConfiguration } from "./configuration";
import { listDescriptions } from "./list-descriptions";

/** The page: the reference of the documents that it names. */
createApiReference("#reference", toConfiguration(listDescriptions(document), location.origin));
