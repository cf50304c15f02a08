(* [BUSY-CLAIM], doc/theory/verify.md, and what [P], [VOL-P] and [P-GPU] rest on: a post-fixed point bounds the busy interval of a server that
   does not idle while there is work, and the response of every job; and no number below the least fixed point is a post-fixed point.

   Time is in whole ns, a slot t is [t, t + 1). Of a job it counts when it is released, of which task it is, and how much of its work is left;
   the server may serve any job that is there, in any order, at any speed of at least one. Costs, dilated and inflated, stops as a task of their
   own, are numbers here: where they come from is for the pages of the bounds. *)

From Coq Require Import Arith Lia List Bool.
Import ListNotations.

(* Sums over lists. *)
Section Sums.

Variable A : Type.

Fixpoint sum (f : A -> nat) (l : list A) : nat :=
  match l with
  | [] => 0
  | x :: rest => f x + sum f rest
  end.

Lemma sum_le : forall f g l, (forall x, In x l -> f x <= g x) -> sum f l <= sum g l.
Proof.
  induction l as [|x l IH]; intros H; simpl; [lia|].
  assert (f x <= g x) by (apply H; left; reflexivity).
  assert (sum f l <= sum g l) by (apply IH; intros; apply H; right; assumption).
  lia.
Qed.

Lemma sum_plus : forall f g l, sum (fun x => f x + g x) l = sum f l + sum g l.
Proof. induction l as [|x l IH]; simpl; lia. Qed.

Lemma sum_zero : forall f l, sum f l = 0 -> forall x, In x l -> f x = 0.
Proof.
  induction l as [|y l IH]; intros H x I; [inversion I|].
  simpl in H. destruct I as [E|I]; [subst; lia|apply IH; [lia|exact I]].
Qed.

Lemma sum_all_zero : forall f l, (forall x, In x l -> f x = 0) -> sum f l = 0.
Proof.
  induction l as [|y l IH]; intros H; simpl; [reflexivity|].
  rewrite (H y) by (left; reflexivity). apply IH. intros; apply H; right; assumption.
Qed.

Lemma sum_member : forall f l x, In x l -> f x <= sum f l.
Proof.
  induction l as [|y l IH]; intros x I; [inversion I|].
  simpl. destruct I as [E|I]; [subst; lia|]. assert (f x <= sum f l) by (apply IH; exact I). lia.
Qed.

End Sums.

Arguments sum {A}.

Section Server.

Variables job task : Type.
Variable task_equal : forall a b : task, {a = b} + {a <> b}.
Variable jobs : list job.         (* all that are ever released *)
Variable tasks : list task.
Variables release cost : job -> nat.
Variable of_task : job -> task.
Variable left : job -> nat -> nat. (* work that is left at the beginning of a slot *)

(* ---- the schedule *)

Hypothesis whole_until_release : forall j t, In j jobs -> t <= release j -> left j t = cost j.
Hypothesis work_only_shrinks : forall j t, In j jobs -> left j (S t) <= left j t.

Definition pending (t : nat) (j : job) : Prop := In j jobs /\ release j <= t /\ 0 < left j t.

(* The server is never idle while something is there, and serves no slower than one a slot. *)
Hypothesis work_conserving : forall t, (exists j, pending t j) ->
  1 + sum (fun j => left j (S t)) jobs <= sum (fun j => left j t) jobs.

(* ---- what arrives *)

Variable eta : task -> nat -> nat. (* jobs that a half-open window of that length releases at most *)
Variable E : task -> nat.          (* what a job costs at most *)

Definition released (t length : nat) (j : job) : bool := (t <=? release j) && (release j <? t + length).
Definition is_of (k : task) (j : job) : bool := if task_equal (of_task j) k then true else false.

Hypothesis each_has_its_task : forall j, In j jobs -> In (of_task j) tasks.
Hypothesis costs : forall j, In j jobs -> cost j <= E (of_task j).
Hypothesis arrivals : forall k t D, In k tasks -> length (filter (fun j => is_of k j && released t D j) jobs) <= eta k D.

(* The right side of the bound's equation: (8.2) with stops as one of the tasks. *)
Definition W (D : nat) : nat := sum (fun k => eta k D * E k) tasks.

(* ---- all that comes in a window costs W at most *)

Definition counted (b : bool) (n : nat) : nat := if b then n else 0.

Lemma by_task : forall (b : job -> bool) l,
  (forall j, In j l -> In (of_task j) tasks) -> (forall j, In j l -> cost j <= E (of_task j)) ->
  sum (fun j => counted (b j) (cost j)) l <= sum (fun k => length (filter (fun j => is_of k j && b j) l) * E k) tasks.
Proof.
  induction l as [|x l IH]; intros Has Cost; simpl; [lia|].
  assert (Rest := IH (fun j I => Has j (or_intror I)) (fun j I => Cost j (or_intror I))).
  assert (Split : sum (fun k => length (filter (fun j => is_of k j && b j) l) * E k) tasks
                  + sum (fun k => counted (is_of k x && b x) (E k)) tasks
                  <= sum (fun k => length (if is_of k x && b x then x :: filter (fun j => is_of k j && b j) l
                                           else filter (fun j => is_of k j && b j) l) * E k) tasks).
  { rewrite <- sum_plus. apply sum_le. intros k _. unfold counted. destruct (is_of k x && b x); simpl; lia. }
  assert (Own : counted (b x) (cost x) <= sum (fun k => counted (is_of k x && b x) (E k)) tasks).
  { apply Nat.le_trans with (counted (is_of (of_task x) x && b x) (E (of_task x))).
    - unfold is_of. destruct (task_equal (of_task x) (of_task x)) as [_|N]; [|exfalso; apply N; reflexivity].
      unfold counted. destruct (b x); simpl; [apply Cost; left; reflexivity|lia].
    - exact (sum_member _ (fun k => counted (is_of k x && b x) (E k)) tasks (of_task x) (Has x (or_introl eq_refl))). }
  lia.
Qed.

Lemma window_costs : forall t D, sum (fun j => counted (released t D j) (cost j)) jobs <= W D.
Proof.
  intros t D. eapply Nat.le_trans; [apply by_task; assumption|].
  apply sum_le. intros k I. apply Nat.mul_le_mono_r. apply arrivals; exact I.
Qed.

(* ---- the busy interval *)

Lemma only_shrinks : forall j d t, In j jobs -> left j (t + d) <= left j t.
Proof.
  induction d as [|d IH]; intros t I; [rewrite Nat.add_0_r; lia|].
  replace (t + S d) with (S (t + d)) by lia. assert (left j (S (t + d)) <= left j (t + d)) by (apply work_only_shrinks; exact I).
  specialize (IH t I). lia.
Qed.

(* Everything that was released before t is complete at t: a busy interval may begin. *)
Definition clear (t : nat) : Prop := forall j, In j jobs -> release j < t -> left j t = 0.

Lemma pending_or_clear : forall t, (exists j, pending t j) \/ clear (S t).
Proof.
  intros t. assert (Find : forall l, (forall j, In j l -> In j jobs) ->
    (exists j, pending t j) \/ (forall j, In j l -> release j <= t -> left j t = 0)).
  { induction l as [|x l IH]; intros Sub; [right; intros j []|].
    destruct (IH (fun j I => Sub j (or_intror I))) as [P|C]; [left; exact P|].
    destruct (le_lt_dec (release x) t) as [R|R]; [|right; intros j [Eq|I] Rj; [subst; lia|apply C; assumption]].
    destruct (le_lt_dec (left x t) 0) as [Z|Z];
      [right; intros j [Eq|I] Rj; [subst; lia|apply C; assumption]|].
    left. exists x. repeat split; [apply Sub; left; reflexivity|exact R|exact Z]. }
  destruct (Find jobs (fun j I => I)) as [P|C]; [left; exact P|right].
  intros j I R. assert (left j t = 0) by (apply C; [exact I|lia]).
  assert (left j (S t) <= left j t) by (apply work_only_shrinks; exact I). lia.
Qed.

Lemma served : forall t d, (forall u, t <= u < t + d -> exists j, pending u j) ->
  d + sum (fun j => left j (t + d)) jobs <= sum (fun j => left j t) jobs.
Proof.
  induction d as [|d IH]; intros P; [rewrite Nat.add_0_r; lia|].
  assert (Before := IH (fun u H => P u ltac:(lia))).
  assert (Slot := work_conserving (t + d) (P (t + d) ltac:(lia))).
  replace (t + S d) with (S (t + d)) by lia. lia.
Qed.

(* No busy interval is longer than a post-fixed point. *)
Theorem busy_interval : forall t D, clear t -> 1 <= D -> W D <= D -> exists u, t < u <= t + D /\ clear u.
Proof.
  intros t D Clear One Post.
  assert (All : (forall u, t <= u < t + D -> exists j, pending u j) \/ (exists u, t < u <= t + D /\ clear u)).
  { clear Post One. induction D as [|D IH]; [left; intros u H; lia|].
    destruct IH as [P|[u [H C]]]; [|right; exists u; split; [lia|exact C]].
    destruct (pending_or_clear (t + D)) as [P'|C].
    - left. intros u H. destruct (Nat.eq_dec u (t + D)) as [->|]; [exact P'|apply P; lia].
    - right. exists (S (t + D)). split; [lia|exact C]. }
  destruct All as [Busy|Done]; [|exact Done].
  exists (t + D). split; [lia|].
  assert (Work := served t D Busy).
  (* All that is left at t + D came later, or is nothing. *)
  set (later := fun j => counted (t + D <=? release j) (cost j)).
  assert (Begin : sum (fun j => left j t) jobs <= sum (fun j => counted (released t D j) (cost j) + later j) jobs).
  { apply sum_le. intros j I. unfold later, released, counted.
    destruct (le_lt_dec t (release j)) as [R|R].
    - rewrite (whole_until_release j t I R). apply Nat.leb_le in R. rewrite R. simpl.
      destruct (release j <? t + D) eqn:L; [lia|]. apply Nat.ltb_ge in L. apply Nat.leb_le in L. rewrite L. lia.
    - rewrite (Clear j I R). lia. }
  rewrite sum_plus in Begin.
  assert (Window := window_costs t D).
  set (open := fun j => counted (release j <? t + D) (left j (t + D))).
  assert (End : sum (fun j => open j + later j) jobs <= sum (fun j => left j (t + D)) jobs).
  { apply sum_le. intros j I. unfold open, later, counted.
    destruct (release j <? t + D) eqn:L.
    - apply Nat.ltb_lt in L. assert (G : (t + D <=? release j) = false) by (apply Nat.leb_gt; exact L). rewrite G. lia.
    - apply Nat.ltb_ge in L. rewrite (whole_until_release j (t + D) I L). apply Nat.leb_le in L. rewrite L. lia. }
  rewrite sum_plus in End.
  assert (None : sum open jobs = 0) by lia.
  intros j I R. assert (Z := sum_zero _ open jobs None j I). unfold open, counted in Z.
  apply Nat.ltb_lt in R. rewrite R in Z. exact Z.
Qed.

(* Is it clear at t? It can be told, as the jobs are a list. *)
Lemma clear_decidable : forall t, clear t \/ ~ clear t.
Proof.
  intros t. assert (Tell : forall l, (forall j, In j l -> release j < t -> left j t = 0) \/
    ~ (forall j, In j l -> release j < t -> left j t = 0)).
  { induction l as [|x l [C|N]]; [left; intros j []| |right; intros C; apply N; intros j I; apply C; right; exact I].
    destruct (le_lt_dec t (release x)) as [R|R]; [left; intros j [Eq|I] Rj; [subst; lia|apply C; assumption]|].
    destruct (le_lt_dec (left x t) 0) as [Z|Z]; [left; intros j [Eq|I] Rj; [subst; lia|apply C; assumption]|].
    right. intros All. assert (left x t = 0) by (apply All; [left; reflexivity|exact R]). lia. }
  exact (Tell jobs).
Qed.

Lemma last_clear : forall r, exists t, t <= r /\ clear t /\ forall u, t < u <= r -> ~ clear u.
Proof.
  induction r as [|r [t [H [C N]]]].
  - exists 0. repeat split; [lia|intros x _ R; lia|intros u Hu; lia].
  - destruct (clear_decidable (S r)) as [C'|N'].
    + exists (S r). repeat split; [lia|exact C'|intros u Hu; lia].
    + exists t. repeat split; [lia|exact C|]. intros u Hu. destruct (Nat.eq_dec u (S r)) as [->|]; [exact N'|apply N; lia].
Qed.

(* So every job responds within it. *)
Theorem busy_claim : forall D, 1 <= D -> W D <= D -> forall j, In j jobs -> left j (release j + D) = 0.
Proof.
  intros D One Post j I.
  destruct (last_clear (release j)) as [t [Before [Clear None]]].
  destruct (busy_interval t D Clear One Post) as [u [Range Done]].
  assert (After : release j < u) by (destruct (le_lt_dec u (release j)) as [L|]; [exfalso; apply (None u); [lia|exact Done]|assumption]).
  assert (Zero := Done j I After).
  assert (Shrinks := only_shrinks j (release j + D - u) u I).
  replace (u + (release j + D - u)) with (release j + D) in Shrinks by lia. lia.
Qed.

End Server.

(* ---- post-fixed points and the least fixed point: what iterating from below finds, and what verify accepts *)
Section LeastFixedPoint.

Variable index : Type.
Variable F : (index -> nat) -> index -> nat.
Definition below (x y : index -> nat) : Prop := forall i, x i <= y i.
Hypothesis monotone : forall x y, below x y -> below (F x) (F y).

Fixpoint iterate (n : nat) (x : index -> nat) : index -> nat :=
  match n with
  | 0 => x
  | S m => F (iterate m x)
  end.

(* [JOINT]: one vector of claims that bears its right sides is above all that iterating from below it gives, and above the fixed point that it ends in. *)
Theorem post_fixed_above : forall bottom x, below bottom x -> below (F x) x -> forall n, below (iterate n bottom) x.
Proof.
  intros bottom x Low Post. induction n as [|n IH]; [exact Low|].
  intros i. simpl. apply Nat.le_trans with (F x i); [apply monotone; exact IH|apply Post].
Qed.

End LeastFixedPoint.

(* Of one equation, as (8.2): below a post-fixed D there is a solution, so that none is accepted that is below the least one. *)
Theorem least_below : forall W : nat -> nat, (forall a b, a <= b -> W a <= W b) ->
  forall D, 1 <= D -> W D <= D -> (forall x, 1 <= x -> 1 <= W x) -> exists p, 1 <= p <= D /\ W p = p.
Proof.
  intros W Mono. induction D as [D IH] using lt_wf_ind. intros One Post Least.
  destruct (Nat.eq_dec (W D) D) as [Eq|Ne]; [exists D; split; [lia|exact Eq]|].
  destruct (IH (W D)) as [p [R P]]; [lia|apply Least; exact One|apply Mono; exact Post|exact Least|].
  exists p. split; [lia|exact P].
Qed.

(* What is assumed can be: one job of 3, served at once, responds at the bound. *)
Example one_job : exists left : unit -> nat -> nat,
  (forall t, t <= 0 -> left tt t = 3) /\ (forall t, left tt (S t) <= left tt t) /\
  (forall t, (exists j, pending unit [tt] (fun _ => 0) left t j) -> 1 + sum (fun j => left j (S t)) [tt] <= sum (fun j => left j t) [tt]) /\
  W unit [tt] (fun _ _ => 1) (fun _ => 3) 3 = 3 /\ left tt 3 = 0 /\ 0 < left tt 2.
Proof.
  exists (fun _ t => 3 - t). split; [intros t H; lia|]. split; [intros t; lia|]. split; [|repeat split; cbn; lia].
  intros t [j [_ [_ P]]]. cbn [sum]. lia.
Qed.

Print Assumptions busy_interval.
Print Assumptions busy_claim.
Print Assumptions post_fixed_above.
Print Assumptions least_below.
