(* [KW], doc/theory/engine.md: a kernel alone, whatever the placement.

   Time is in whole ns. The kernel's blocks are 0, 1, ..., N - 1 in the order in which they are dispatched; those that are resident at t0
   already are the first ones. Nothing is said of SMs: which slot a block takes does not matter. *)

From Coq Require Import Arith Lia List.
Import ListNotations.

Section Kernel.

Variables N Q : nat.          (* blocks that are not complete at t0; slots *)
Variable C : nat.             (* what a block takes at most *)
Variable t0 : nat.            (* from here on only the kernel's blocks are resident *)
Variables start finish : nat -> nat.

Definition resident (u j : nat) : bool := (start j <=? u) && (u <? finish j).

(* How many of the blocks before i are resident at u. *)
Definition residents_before (i u : nat) : nat := length (filter (resident u) (seq 0 i)).

Hypothesis slots : 0 < Q.

(* A-WCET: a block ends at most C after its start; one that was resident at t0 ends at most C after t0. *)
Hypothesis A_WCET : forall j, j < N -> finish j <= Nat.max (start j) t0 + C.

(* A-WC: as long as a block waits, all Q slots are taken, by blocks that were dispatched before it. *)
Hypothesis A_WC : forall i u, i < N -> t0 <= u -> u < start i -> Q <= residents_before i u.

Lemma count_below : forall (p : nat -> bool) a n b,
  (forall j, a <= j < a + n -> p j = true -> b <= j) -> length (filter p (seq a n)) <= a + n - Nat.max a b.
Proof.
  intros p a n; revert a; induction n as [|n IH]; intros a b H; simpl; [lia|].
  destruct (p a) eqn:E.
  - assert (b <= a) by (apply H; [lia|exact E]).
    assert (G : length (filter p (seq (S a) n)) <= S a + n - Nat.max (S a) b) by (apply IH; intros; apply H; [lia|assumption]).
    simpl. lia.
  - assert (G : length (filter p (seq (S a) n)) <= S a + n - Nat.max (S a) b) by (apply IH; intros; apply H; [lia|assumption]).
    lia.
Qed.

(* Wave follows wave, at the latest. *)
Theorem KW_start : forall k, k < N -> start k <= t0 + (k / Q) * C.
Proof.
  induction k as [k IH] using lt_wf_ind. intros Hk.
  destruct (le_lt_dec (start k) (t0 + (k / Q) * C)) as [|Late]; [assumption|exfalso].
  assert (Full := A_WC k (t0 + (k / Q) * C) Hk (Nat.le_add_r _ _) Late).
  assert (Div : k = Q * (k / Q) + k mod Q) by (apply Nat.div_mod; lia).
  assert (Mod : k mod Q < Q) by (apply Nat.mod_upper_bound; lia).
  set (q := k / Q) in *.
  assert (Few : residents_before k (t0 + q * C) <= 0 + k - Nat.max 0 (Q * q)).
  { apply count_below. intros j Hj R. unfold resident in R.
    apply Bool.andb_true_iff in R. destruct R as [_ R]. apply Nat.ltb_lt in R.
    destruct (le_lt_dec (Q * q) j) as [|Before]; [assumption|exfalso].
    assert (Hq : j / Q < q) by (apply Nat.div_lt_upper_bound; lia).
    assert (Start : start j <= t0 + (j / Q) * C) by (apply IH; lia).
    assert (Finish : finish j <= Nat.max (start j) t0 + C) by (apply A_WCET; lia).
    assert ((j / Q + 1) * C <= q * C) by (apply Nat.mul_le_mono_r; lia).
    lia. }
  lia.
Qed.

(* The claim: the last block is dispatched by t0 + (ceil(N/Q) - 1) C, and the kernel is complete by t0 + ceil(N/Q) C. *)
Definition ceiling (a b : nat) : nat := (a + b - 1) / b.

Lemma ceiling_waves : 0 < N -> ceiling N Q = (N - 1) / Q + 1.
Proof.
  intros HN. unfold ceiling. replace (N + Q - 1) with (N - 1 + 1 * Q) by lia. rewrite Nat.div_add by lia. lia.
Qed.

Theorem KW : forall k, k < N ->
  start k <= t0 + (ceiling N Q - 1) * C /\ finish k <= t0 + ceiling N Q * C.
Proof.
  intros k Hk.
  assert (S := KW_start k Hk).
  assert (F := A_WCET k Hk).
  rewrite ceiling_waves by lia.
  assert (W : k / Q <= (N - 1) / Q) by (apply Nat.div_le_mono; lia).
  assert (k / Q * C <= (N - 1) / Q * C) by (apply Nat.mul_le_mono_r; exact W).
  replace ((N - 1) / Q + 1 - 1) with ((N - 1) / Q) by lia.
  rewrite Nat.mul_add_distr_r. lia.
Qed.

End Kernel.

(* [WAVES]: with a dispatcher that deals with one block after the other. s i is the instant of the i-th dispatch after the launch, i from 1. *)
Section Waves.

Variables Q C o : nat.        (* o: what one dispatch takes at most *)
Variable s : nat -> nat.
Hypothesis slots : 0 < Q.
Hypothesis launch : s 0 = 0.
Hypothesis dispatcher : forall i, 0 < i -> s i <= Nat.max (s (i - 1)) (if Q <? i then s (i - Q) + C else 0) + o.

Definition gamma : nat := C - (Q - 1) * o.

Theorem WAVES : forall i, s i <= i * o + ((i - 1) / Q) * gamma.
Proof.
  induction i as [i IH] using lt_wf_ind.
  destruct i as [|i]; [rewrite launch; lia|].
  assert (D := dispatcher (S i) (Nat.lt_0_succ i)). simpl (S i - 1) in *. rewrite Nat.sub_0_r in *.
  assert (Before := IH i (Nat.lt_succ_diag_r i)).
  assert (Mono : (i - 1) / Q <= i / Q) by (apply Nat.div_le_mono; lia).
  assert ((i - 1) / Q * gamma <= i / Q * gamma) by (apply Nat.mul_le_mono_r; exact Mono).
  destruct (Q <? S i) eqn:E.
  - apply Nat.ltb_lt in E.
    assert (Wave := IH (S i - Q) ltac:(lia)).
    assert (Back : (S i - Q - 1) / Q + 1 = i / Q).
    { replace i with (i - Q + 1 * Q) at 2 by lia. rewrite Nat.div_add by lia. replace (S i - Q - 1) with (i - Q) by lia. lia. }
    assert (Gamma : C + o <= Q * o + gamma) by (unfold gamma; destruct Q; [lia|simpl; lia]).
    assert (G : (i / Q) * gamma = (S i - Q - 1) / Q * gamma + gamma) by (rewrite <- Back; lia).
    assert (O : S i * o = (S i - Q) * o + Q * o) by (rewrite <- Nat.mul_add_distr_r; f_equal; lia).
    simpl (S i * o) in *. lia.
  - simpl. lia.
Qed.

End Waves.

(* What is assumed can be: three blocks on two slots meet the bound. *)
Example two_waves : exists start finish : nat -> nat,
  (forall j, j < 3 -> finish j <= Nat.max (start j) 7 + 5) /\
  (forall i u, i < 3 -> 7 <= u -> u < start i -> 2 <= residents_before start finish i u) /\
  finish 2 = 7 + ceiling 3 2 * 5.
Proof.
  exists (fun j => if j <? 2 then 7 else 12), (fun j => if j <? 2 then 12 else 17).
  split; [|split; [|reflexivity]].
  - intros j H. destruct j as [|[|[|j]]]; simpl; lia.
  - intros i u H Low High. destruct i as [|[|[|i]]]; simpl in High; try lia.
    unfold residents_before, resident. simpl.
    assert (A : (7 <=? u) = true) by (apply Nat.leb_le; exact Low). assert (B : (u <? 12) = true) by (apply Nat.ltb_lt; exact High).
    simpl in *. rewrite A, B. simpl. lia.
Qed.

Print Assumptions KW.
Print Assumptions WAVES.
