import { describeRows } from "./describeRows.ts";

describeRows("venice");
