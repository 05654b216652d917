// Short names for the contract's types. All of them come from `schema.gen.ts`.

import type { components } from "./schema.gen.ts";

type Schemas = components["schemas"];

/** A tender as the server sends it. */
export type Tender = Schemas["TenderView"];

/** A tender that is locked for the user, as the server sends it. */
export type LockedTender = Schemas["LockedTender"];

export function isLocked(tender: Tender | LockedTender): tender is LockedTender {
  return "locked" in tender;
}

/** Who won a past contract, and for how much. */
export type Award = Schemas["ListedAward"];
/** An award beside a tender. */
export type Buyer = Schemas["Buyer"];
export type BuyerDetails = Schemas["BuyerDetails"];
export type Market = Schemas["Market"];
export type PastAward = Schemas["PastAward"];
export type AmountSpread = Schemas["AmountSpread"];

/** What a bidder must know about a tender. */
export type Bidding = Schemas["Bidding"];
/** The profile of the user's company. */
export type CompanyProfile = Schemas["CompanyProfile"];
export type Company = Schemas["Company"];

/** The bid board, and a bid on it. */
export type BidBoard = Schemas["BidBoard"];
export type Bid = Schemas["Bid"];
export type BidStage = Schemas["BidStage"];
/** The bid for a tender. */
export type ShortNotice = Schemas["ShortNotice"];
export type BidReference = Schemas["BidReference"];
/** A bid with all that belongs to it. */
export type BidNotice = Schemas["BidNotice"];
export type BidDetails = Schemas["BidDetails"];
/** A deadline in the calendar, and a holiday. */
export type CalendarEntry = Schemas["CalendarEntry"];
export type CalendarHoliday = Schemas["CalendarHoliday"];
export type CalendarTask = Schemas["CalendarTask"];
export type TenderCalendar = Schemas["TenderCalendar"];
export type Deadline = Schemas["Deadline"];
export type BidChecklistRow = Schemas["BidChecklistRow"];

export type ReminderForm = Schemas["ReminderForm"];

export type BidTask = Schemas["BidTask"];
export type BidEvent = Schemas["BidEvent"];

export type Stats = Schemas["TenderStats"];
/** What the home page shows besides the counts. */
export type HomeHighlights = Schemas["HomeHighlights"];
export type HighlightedTender = Schemas["HighlightedTender"];
/** A newspaper notice on the home page, with its clip. */
export type ShownNotice = Schemas["ShownNotice"];
/** The data of a page of the listing, without the tenders. */
export type TenderPage = Omit<Schemas["TenderList"], "tenders">;
export type Facets = Schemas["TenderFacets"];
export type Passage = Schemas["Passage"];
export type Suggestion = Schemas["SuggestedSearch"];
export type Pagination = Schemas["Pagination"];
export type User = Schemas["User"];
export type Role = User["role"];
export type Health = Schemas["Health"];

/** A user as administrators see it. */
export type ListedUser = Schemas["ListedUser"];
/** A tender that waits for a check, and its publisher. */
export type HeldPublication = Schemas["HeldPublication"];
export type Publisher = Schemas["Publisher"];
/** A message of the contact form. */
export type ReceivedMessage = Schemas["ReceivedMessage"];
/** A message that could not be delivered. */
export type DeadMessage = Schemas["DeadMessage"];
/** An address that gets only account mails. */
export type SuppressedAddress = Schemas["SuppressedAddress"];
/** A subscription as administrators see it. */
export type ListedSubscription = Schemas["ListedSubscription"];
export type SubscriptionStatus = Schemas["SubscriptionStatus"];
/** A payment event that was not applied. */
export type OpenPaymentEvent = Schemas["OpenPaymentEvent"];
/** An operator token without its secret. */
export type OperatorTask = Schemas["OperatorTask"];
export type OperatorTaskName = Schemas["OperatorTaskName"];
export type OperatorToken = Schemas["OperatorToken"];
export type TokenScope = Schemas["TokenScope"];
/** A figure of the portal and its last 90 days. */
export type FigureSeries = Schemas["FigureSeries"];
/** The present state of a queue. */
export type QueueState = Schemas["QueueState"];
/** A text that was searched several times and found nothing. */
export type EmptySearch = Schemas["EmptySearch"];
/** An entry of the audit log. */
export type AuditEntry = Schemas["AuditEntry"];
export type AuditAction = AuditEntry["action"];
/** A notice with everything that a reviewer needs. */
export type ReviewNotice = Schemas["ReviewNotice"];
/** The decision about a notice. */
export type ReviewDecision = Schemas["ReviewDecision"];
export type AccuracyOfField = Schemas["AccuracyOfField"];
export type GazetteerName = Schemas["GazetteerName"];
export type GazetteerNameForm = Schemas["NameForm"];
export type NameState = Schemas["NameState"];
/** A newspaper page. */
export type NewspaperPage = Schemas["NewspaperPage"];
export type PageIssueForm = Schemas["PageIssueForm"];
export type PageState = NewspaperPage["state"];
/** A newspaper that is expected. */
export type ExpectedPaper = Schemas["ExpectedPaper"];
export type Weekday = Schemas["Weekday"];
/** The issues of all newspapers on some days. */
export type Coverage = Schemas["Coverage"];
/** A newspaper on a day. */
export type Issue = Schemas["Issue"];
export type IssueState = Schemas["IssueState"];
export type Holiday = Schemas["Holiday"];
export type HolidayKind = Schemas["HolidayKind"];
/** What waits for workers, is being read or needs attention. */
export type PageWork = Schemas["PageWork"];
/** A batch of notices to withdraw. */
export type BatchForm = Schemas["BatchForm"];
/** What the withdrawal of a batch would do. */
export type BatchPreview = Schemas["BatchPreview"];
/** The withdrawal of a batch. */
export type BatchWithdrawal = Schemas["BatchWithdrawal"];
/** A box of a page about which a person has decided. */
export type PageMark = Schemas["PageMark"];
/** A newspaper page with its blocks. */
export type PageDetails = Schemas["PageDetails"];
export type PageBlock = Schemas["PageBlock"];
export type BlockOutcome = PageBlock["outcome"];
/** An uploaded newspaper file. */
export type UploadedPages = Schemas["UploadedPages"];

/** Whether the user's company may bid for a tender. */
export type BidAnswer = Schemas["BidAnswer"];
export type ListedBidAnswer = Schemas["ListedBidAnswer"];

export type Plan = Schemas["Plan"];
export type PlanName = Schemas["PlanName"];
export type TenderStatus = Schemas["TenderStatus"];

/** A message about a tender, as the tender's delivery trace lists it. */
export type TracedDelivery = Schemas["TracedDelivery"];

/** Where alerts are sent besides e-mail. */
type Channels = Schemas["Channels"];
export type Phone = NonNullable<Channels["phone"]>;
export type Webhook = NonNullable<Channels["webhook"]>;

/** A key for the user's programs. */
export type ApiKey = Schemas["ApiKey"];
export type KeyScope = Schemas["KeyScope"];
