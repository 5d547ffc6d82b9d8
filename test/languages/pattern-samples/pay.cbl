      * PAYROLL mentions CALC-PAY.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. PAYROLL.
       ENVIRONMENT DIVISION.
       DATA DIVISION.
       FILE SECTION.
       FD  EMPLOYEES.
       WORKING-STORAGE SECTION.
       01  WS-TOTALS.
           03 WS-GROSS       PIC 9(7)V99 VALUE 0.
              88 NO-GROSS    VALUE 0.
           03 FILLER         PIC X(3).
000100 77  WS-PROGRAM        PIC X(8) VALUE 'PAYROLL'.
       PROCEDURE DIVISION.
       MAINLINE SECTION.
           PERFORM CALC-PAY.
           IF WS-GROSS > 0
              DISPLAY WS-GROSS
           END-IF.
           EXIT.
       CALC-PAY.
           MOVE 1 TO WS-GROSS.
           GOBACK.
       END PROGRAM PAYROLL.
